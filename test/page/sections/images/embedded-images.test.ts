import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Images } from '../../../../src/page/sections/images/embedded-images.ts';

/** The limits of a page, a hundred thousandth of them. */
const LIMITS = {
  image: { page: 240 },
  video: { page: 240, videos: 120 },
  copy: { page: 52 },
  heatMap: { heatMaps: 5 },
  link: { links: 5 },
};

const digest = fc.constantFrom(...'abcdefghijklmnopqrst');
const group = fc.uniqueArray(digest, { minLength: 1, maxLength: 8 });

/** What is compared is shown, each perhaps more than once. */
const pages = fc
  .record({
    strips: fc.array(group, { maxLength: 2 }),
    others: fc.array(digest, { maxLength: 30 }),
    alike: fc.array(group, { maxLength: 6 }),
    /** Bytes of each digest; 0: it has no such media. */
    sizes: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 7, maxLength: 20 }),
  })
  .map(({ strips, others, alike, sizes }) => {
    const plan = { strips, sheet: [...others, ...strips.flat(), ...alike.flat()], groups: [...strips, ...alike] };
    const media = (kind: number) => (sha256: string) => {
      const length = sizes[(sha256.charCodeAt(0) + 5 * kind) % sizes.length] ?? 0;
      return length === 0 ? null : new Uint8Array(length).fill(kind);
    };
    const source = {
      thumbnail: media(THUMBNAIL),
      smallThumbnail: media(SMALL),
      copy: media(COPY),
      preview: media(4),
      heatMap: media(5),
    };
    return { plan, source, images: new Images(source, plan, LIMITS) };
  });

const [THUMBNAIL, SMALL, COPY] = [1, 2, 3];

const bytesIn = (url: string | null): Buffer => Buffer.from(url?.split(',')[1] ?? '', 'base64');
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const weigh = (urls: readonly (string | null)[]): number => sum(urls.map((url) => bytesIn(url).length));

describe('the images of a page', () => {
  it('the images of a page stay within their limits, each once in the sheet, and no image is left out for a video', () => {
    fc.assert(
      fc.property(pages, ({ plan, source, images }) => {
        const inStrips = [...new Set(plan.strips.flat())].flatMap((sha256) => images.inStrip(sha256) ?? []);
        const inSheet = plan.sheet
          .flatMap((sha256) => images.inSheet(sha256) ?? [])
          .filter(({ image }) => image !== null);
        expect(new Set(inSheet.map(({ number }) => number)).size).toBe(inSheet.length);
        const shown = [...inStrips, ...inSheet].map((media) => ({ video: null, ...media }));
        const videos = weigh(shown.map(({ video }) => video));
        expect(videos).toBeLessThanOrEqual(LIMITS.video.videos);
        expect(videos + weigh(shown.map(({ image }) => image))).toBeLessThanOrEqual(LIMITS.image.page);
        const silent = new Images({ ...source, preview: () => null }, plan, LIMITS);
        expect(images.crowdedOut).toBe(silent.crowdedOut);
      }),
    );
  });

  it('the images of a page leave no image out while a less important one is in', () => {
    fc.assert(
      fc.property(pages, ({ plan, source, images }) => {
        const wanted = [...new Set(plan.sheet)].filter((sha256) => source.thumbnail(sha256) !== null);
        const left = wanted.map((sha256) => images.isCrowdedOut(sha256));
        expect(left).toEqual(left.toSorted());
      }),
    );
  });

  it('the images of a page have large copies of all that is compared at one glance or of nothing, the most important first', () => {
    fc.assert(
      fc.property(pages, ({ plan, source, images }) => {
        const inStrips = new Set(plan.strips.flat());
        const known = new Set<string>();
        const large = new Set(
          [...new Set(plan.sheet)].filter((sha256) => {
            const media = inStrips.has(sha256) ? images.inStrip(sha256) : images.inSheet(sha256);
            return bytesIn(media?.image ?? null)[0] === COPY;
          }),
        );
        const groups = plan.groups.map((each) =>
          each.filter((sha256) => {
            const isNew = !known.has(sha256) && source.copy(sha256) !== null && source.thumbnail(sha256) !== null;
            known.add(sha256);
            return isNew && !images.isCrowdedOut(sha256);
          }),
        );
        const shares = groups
          .filter((each) => each.length > 0)
          .map((each) => sum(each.map((of) => Number(large.has(of)))) / each.length);
        expect(shares).toEqual(shares.map(Math.round).toSorted((a, b) => b - a));
      }),
    );
  });

  it('the images of a page have heat maps and links while there is room for them', () => {
    fc.assert(
      fc.property(pages, fc.array(digest), ({ images }, asked) => {
        expect(weigh(asked.map((sha256) => images.heatMap(sha256, 'z')?.image ?? null))).toBeLessThanOrEqual(5);
        expect(weigh(asked.map((sha256) => images.small(sha256)))).toBeLessThanOrEqual(5);
      }),
    );
  });

  it.each([
    ['that fit: large thumbnails', { thumbnail: 2, small: 1, copy: 5 }, THUMBNAIL],
    [
      'that fit only without the copies of the strip: small thumbnails, and these copies',
      { thumbnail: 5, small: 2, copy: 8 },
      SMALL,
    ],
    ['that do not fit: small thumbnails', { thumbnail: 9, small: 3, copy: 1 }, SMALL],
    ['without small thumbnails: large ones', { thumbnail: 9, small: 0, copy: 1 }, THUMBNAIL],
  ] as const)('the images of a page %s', (_, bytes, expected) => {
    const media = (kind: number, length: number) => () => (length === 0 ? null : new Uint8Array(length).fill(kind));
    const source = {
      thumbnail: media(THUMBNAIL, bytes.thumbnail),
      smallThumbnail: media(SMALL, bytes.small),
      copy: media(COPY, bytes.copy),
      preview: () => null,
      heatMap: () => null,
    };
    // Of the strip, two are at sight.
    const images = new Images(
      source,
      { strips: [['a', 'b', 'c']], sheet: [...'abcdefgh'], groups: [['a', 'b']] },
      LIMITS,
    );
    const kindIn = (media: { readonly image: string | null } | null) => bytesIn(media?.image ?? null)[0];
    expect(kindIn(images.inSheet('h'))).toBe(expected);
    if (bytes.copy > 1) expect([...'abc'].map((of) => kindIn(images.inStrip(of)))).toEqual([COPY, COPY, THUMBNAIL]);
  });
});
