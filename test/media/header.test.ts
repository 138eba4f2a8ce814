import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { fitsExpectation, headerSeconds, imageHeader, sniff } from '../../src/media/header.ts';
import { goldenVideo } from '../fixtures/golden-video.ts';
import { draws } from '../test-options.ts';

const image = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#336699' } });

describe('sniff', () => {
  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
    ['gif', 'image/gif'],
  ] as const)('sniff knows a real %s by its bytes', async (format, mime) => {
    expect(sniff(await image().toFormat(format).toBuffer())?.mime).toBe(mime);
  });

  it.each([
    ['plain.mp4', 'video/mp4', 'mp4'],
    ['turned.mp4', 'video/mp4', 'mp4'],
    ['vp9.webm', 'video/webm', 'webm'],
  ])('sniff knows the real %s by its bytes', (file, mime, extension) => {
    expect(sniff(goldenVideo(file))).toEqual({ mime, extension });
  });

  it('sniff tells an AVIF under the brand of all HEIF images from other HEIF', () => {
    const ftyp = (brands: string) => Buffer.from(`\0\0\0\x1cftypmif1\0\0\0\0${brands}`, 'latin1');
    expect(sniff(ftyp('mif1avifmiaf'))?.mime).toBe('image/avif');
    expect(sniff(ftyp('mif1heicmiaf'))).toBeNull();
  });

  it.each([
    ['ftypisom', 'video/mp4'],
    ['ftypmp42', 'video/mp4'],
    ['ftypqt  ', 'video/quicktime'],
  ])('sniff knows the ISO brand %s', (brand, mime) => {
    expect(sniff(Buffer.from(`\0\0\0\x18${brand}\0\0\0\0isomiso2`, 'latin1'))?.mime).toBe(mime);
  });

  it('sniff knows WebM from other Matroska', () => {
    const header = (doctype: string) => Buffer.from(`\x1a\x45\xdf\xa3\x93\x42\x82\x88${doctype}`, 'latin1');
    expect(sniff(header('webm'))?.mime).toBe('video/webm');
    expect(sniff(header('matroska'))?.mime).toBe('video/x-matroska');
  });

  it.each(['', '<!doctype html>', '<svg xmlns="http://www.w3.org/2000/svg"/>', '{"error":"no"}', '\x89PN'])(
    'sniff takes %j for unknown',
    (text) => {
      expect(sniff(Buffer.from(text, 'latin1'))).toBeNull();
    },
  );
});

describe('fitsExpectation', () => {
  const png = { mime: 'image/png', extension: 'png' };

  it('fitsExpectation matches a family, a type, or anything', () => {
    expect(fitsExpectation(png, 'image/*')).toBe(true);
    expect(fitsExpectation(png, 'image/png')).toBe(true);
    expect(fitsExpectation(png, null)).toBe(true);
    expect(fitsExpectation(png, 'video/*')).toBe(false);
    expect(fitsExpectation(png, 'image/jpeg')).toBe(false);
  });

  it('fitsExpectation never takes unknown bytes for media', () => {
    expect(fitsExpectation(null, null)).toBe(false);
    expect(fitsExpectation(null, 'image/*')).toBe(false);
  });
});

const alphaImage = () =>
  sharp({ create: { width: 310, height: 207, channels: 4, background: { r: 9, g: 99, b: 200, alpha: 0.5 } } });

const SIZE = { width: 310, height: 207 };

describe('the size that a header declares', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)('an image in %s: has its size', async (format) => {
    expect(imageHeader(await alphaImage().toFormat(format).toBuffer())).toMatchObject(SIZE);
  });

  it.each([
    ['lossy', { quality: 80 }],
    ['lossless', { lossless: true }],
  ] as const)('an opaque %s image in WebP: has its size', async (_how, options) => {
    expect(imageHeader(await alphaImage().flatten().webp(options).toBuffer())).toMatchObject(SIZE);
  });

  it.each(['progressive', 'with metadata'])('a JPEG %s: has its size', async (how) => {
    const jpeg =
      how === 'progressive'
        ? alphaImage().jpeg({ progressive: true })
        : alphaImage()
            .withExif({ IFD0: { Artist: 'x' } })
            .jpeg();
    expect(imageHeader(await jpeg.toBuffer())).toMatchObject(SIZE);
  });

  it('a video in MP4: has the seconds of its movie header', () => {
    for (const name of ['plain.mp4', 'sound.mp4', 'turned.mp4', 'odd.mp4']) {
      const bytes = goldenVideo(name);
      const at = bytes.indexOf('mvhd') + 4;
      const seconds = bytes.readUInt32BE(at + 16) / bytes.readUInt32BE(at + 12);
      expect(seconds).toBeGreaterThan(0);
      expect(headerSeconds(bytes)).toBe(seconds);
    }
  });

  it('a video whose movie header gives no duration: has no seconds', () => {
    for (const ticks of [0, 0xffffffff]) {
      const bytes = Buffer.from(goldenVideo('plain.mp4'));
      bytes.writeUInt32BE(ticks, bytes.indexOf('mvhd') + 4 + 16);
      expect(headerSeconds(bytes)).toBeNull();
    }
  });

  it('other bytes: have no size', async () => {
    expect(headerSeconds(goldenVideo('vp9.webm'))).toBeNull();
    expect(headerSeconds(await alphaImage().png().toBuffer())).toBeNull();
    expect(imageHeader(goldenVideo('plain.mp4'))).toBeNull();
    expect(imageHeader(new Uint8Array())).toBeNull();
  });

  it('a damaged header: is read without an error', async () => {
    const media = [goldenVideo('plain.mp4')];
    for (const format of ['png', 'jpeg', 'webp', 'gif'] as const)
      media.push(await alphaImage().toFormat(format).toBuffer());
    const damage = fc.record({ of: fc.nat(), cut: fc.nat(), at: fc.nat({ max: 200 }), to: fc.nat({ max: 255 }) });
    fc.assert(
      fc.property(damage, ({ of, cut, at, to }) => {
        const whole = media[of % media.length] ?? Buffer.alloc(0);
        const bytes = Buffer.from(whole.subarray(0, cut % 2 === 0 ? whole.length : cut % 300));
        if (at < bytes.length) bytes[at] = to;
        const { width, height } = imageHeader(bytes) ?? SIZE;
        for (const size of [headerSeconds(bytes) ?? 0, width, height]) {
          expect(Number.isFinite(size) && size >= 0).toBe(true);
        }
      }),
      { numRuns: draws(2000) },
    );
  });
});
