import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  copyOf,
  type DecodedImage,
  declaredPixels,
  decodeImage,
  smallThumbnailOf,
  thumbnailOf,
} from '../../src/media/decode.ts';
import { at16Bits, underAlpha, withAlpha } from '../fixtures/constructed/edited-pixels.ts';
import { withChunks } from '../fixtures/constructed/metadata-segments.ts';
import { pngChunk, writePng } from '../fixtures/constructed/png-writer.ts';
import { paint } from '../fixtures/painted-images.ts';
import { plainPng, rawPng } from '../fixtures/plain-png.ts';

async function noisyPng(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3, 0).map((_, at) => (at * 2654435761) >>> 24);
  return rawPng(pixels, width, height);
}

async function decoded(bytes: Uint8Array): Promise<DecodedImage> {
  const decoding = await decodeImage(bytes);
  if (!decoding.ok) throw new Error(decoding.reason.code);
  return decoding.image;
}

const digest = async (bytes: Uint8Array): Promise<string> => (await decoded(bytes)).pixelSha256;

describe('decodeImage', () => {
  it('decodeImage gives size, frames and a thumbnail that fits the side', async () => {
    const { width, height, frames } = await decoded(await noisyPng(600, 300));
    expect([width, height, frames.length]).toEqual([600, 300, 1]);
    const thumbnail = await sharp(await thumbnailOf(frames[0].pixels)).metadata();
    expect([thumbnail.format, thumbnail.width, thumbnail.height]).toEqual(['webp', 256, 128]);
  });

  it.each([
    [200, 150, null],
    [256, 128, [200, 100]],
    [300, 1200, [50, 200]],
  ] as const)(
    'smallThumbnailOf gives an image of %i x %i pixels as wide as a page shows it, in half the bytes of a thumbnail',
    async (width, height, size) => {
      const { frames } = await decoded(await noisyPng(width, height));
      const small = await smallThumbnailOf(frames[0].pixels);
      const found = small === null ? null : await sharp(small).metadata();
      expect(found === null ? null : [found.width, found.height]).toEqual(size);
      expect(small?.length ?? 0).toBeLessThan((await thumbnailOf(frames[0].pixels)).length / 2);
    },
  );

  it.each([
    [256, 200, null],
    [300, 200, [300, 200]],
    [2048, 1000, [1024, 500]],
  ] as const)(
    'copyOf gives an image of %i x %i pixels in a size that shows its detail',
    async (width, height, size) => {
      const { frames } = await decoded(await noisyPng(width, height));
      const copy = await copyOf(frames[0].pixels);
      const found = copy === null ? null : await sharp(copy).metadata();
      expect(found === null ? null : [found.width, found.height]).toEqual(size);
    },
  );

  it('decodeImage reports the size as shown, after the declared orientation', async () => {
    const turned = await sharp(await noisyPng(40, 20))
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const decoding = await decodeImage(turned);
    expect(decoding).toMatchObject({ ok: true, image: { width: 20, height: 40 } });
  });

  it('decodeImage counts the frames of an animation', async () => {
    const frame = (grey: number) => plainPng({ r: grey, g: grey, b: grey }, 16, 16);
    const animation = await sharp([await frame(10), await frame(120), await frame(240)], { join: { animated: true } })
      .gif()
      .toBuffer();
    const { width, height, frames } = await decoded(animation);
    expect([width, height]).toEqual([16, 16]);
    expect(frames.map(({ atS, pixels }) => [atS, pixels.height, pixels.data[0]])).toEqual([
      [0, 16, 10],
      [0.1, 16, 120],
      [0.2, 16, 240],
    ]);
  });

  it('decodeImage finds an image that is cut off in its middle, wherever', async () => {
    const whole = await noisyPng(200, 200);
    for (const share of [0.1, 0.5, 0.9]) {
      const decoding = await decodeImage(whole.subarray(0, Math.floor(whole.length * share)));
      expect(decoding.ok).toBe(false);
    }
    const jpeg = await sharp(whole).jpeg().toBuffer();
    expect((await decodeImage(jpeg.subarray(0, jpeg.length / 2))).ok).toBe(false);
  });

  it('decodeImage refuses a header that declares more pixels than it will allocate', async () => {
    const header = await plainPng('red', 1, 1);
    header.writeUInt32BE(60_000, 16);
    header.writeUInt32BE(60_000, 20);
    const decoding = await decodeImage(header);
    expect(decoding.ok).toBe(false);
  });

  it('decodeImage gives a reason for bytes that are not an image', async () => {
    for (const bytes of [new Uint8Array(0), Buffer.from('<html>'), Buffer.alloc(1000, 7)]) {
      const decoding = await decodeImage(bytes);
      expect(decoding).toEqual({ ok: false, reason: { code: 'not_decodable', detail: expect.stringMatching(/\S/) } });
    }
  });

  it('decodeImage gives pixels upright and in sRGB, whatever the file holds them in', async () => {
    const red = { create: { width: 4, height: 2, channels: 3, background: { r: 200, g: 10, b: 10 } } } as const;
    const shown = [...(await decoded(await sharp(red).png().toBuffer())).frames[0].pixels.data.slice(0, 3)];
    expect(shown).toEqual([200, 10, 10]);
    const wide = await decoded(await sharp(red).withIccProfile('p3').png().toBuffer());
    const cmyk = await decoded(await sharp(red).withIccProfile('cmyk').toColourspace('cmyk').jpeg().toBuffer());
    for (const { frames } of [wide, cmyk]) {
      expect(frames[0].pixels.channels).toBe(3);
      for (const [at, value] of shown.entries()) {
        expect(Math.abs((frames[0].pixels.data[at] ?? 0) - value)).toBeLessThan(45);
      }
    }
    const grey = await decoded(await rawPng(Buffer.from([7, 99]), 2, 1, 1));
    expect([...grey.frames[0].pixels.data]).toEqual([7, 7, 7, 99, 99, 99]);
  });

  it('decodeImage keeps all of 16 bits, in colour and in grey', async () => {
    const samples = Uint16Array.from([0, 258, 65_535, 1, 2, 3]);
    const colour = await decoded(
      await sharp(samples, { raw: { width: 2, height: 1, channels: 3 } })
        .toColourspace('rgb16')
        .png()
        .toBuffer(),
    );
    expect(colour.frames[0].pixels).toMatchObject({ depth: 16, channels: 3 });
    expect([...colour.frames[0].pixels.data]).toEqual([...samples]);
    const grey = await decoded(
      await sharp(Uint16Array.from([300, 65_000]), { raw: { width: 2, height: 1, channels: 1 } })
        .toColourspace('grey16')
        .png()
        .toBuffer(),
    );
    expect([...grey.frames[0].pixels.data]).toEqual([300, 300, 300, 65_000, 65_000, 65_000]);
  });
});

describe('an animated PNG or AVIF', () => {
  const control = (frames: number) => pngChunk('acTL', Buffer.of(0, 0, 0, frames, 0, 0, 0, 0));
  const frameControl = pngChunk('fcTL', Buffer.alloc(26));
  const UNDECODED = {
    ok: null,
    reason: {
      code: 'not_supported',
      detail: 'animated PNG and AVIF are not decoded: use animated WebP or GIF, or a video',
    },
  };

  it('an animated PNG or AVIF is not decoded, and says what is', async () => {
    const png = await noisyPng(40, 30);
    const sequence = Buffer.from('\0\0\0\x1cftypavif\0\0\0\0mif1avismiaf', 'latin1');
    for (const animation of [
      withChunks(png, [control(2), frameControl]),
      // Its still image is not a part of the animation.
      withChunks(png, [control(1)]),
      sequence,
      Buffer.from('\0\0\0\x14ftypavis\0\0\0\0avif', 'latin1'),
    ]) {
      expect(await decodeImage(animation)).toEqual(UNDECODED);
      expect(await declaredPixels(animation)).toBe(0);
    }
  });

  it('an animated PNG whose only frame is its still image is decoded', async () => {
    const png = await noisyPng(40, 30);
    expect(await digest(withChunks(png, [control(1), frameControl]))).toBe(await digest(png));
  });
});

describe('the digest of pixels', () => {
  it('the digest of pixels is the same for other metadata, compression and turns that show the same', async () => {
    const png = await noisyPng(40, 30);
    const same = await digest(png);
    expect(await digest(await sharp(png).png({ compressionLevel: 1, adaptiveFiltering: true }).toBuffer())).toBe(same);
    expect(
      await digest(
        await sharp(png)
          .withExif({ IFD0: { Software: 'another' } })
          .png()
          .toBuffer(),
      ),
    ).toBe(same);
    expect(await digest(await sharp(png).webp({ lossless: true }).toBuffer())).toBe(same);
    expect(await digest(await sharp(png).ensureAlpha().png().toBuffer())).toBe(same);
    const turned = await sharp(png).rotate(-90).withMetadata({ orientation: 6 }).png().toBuffer();
    expect(await digest(turned)).toBe(same);
  });

  it('the digest of pixels is the same whatever colour lies under alpha 0, at both depths', async () => {
    for (const depth of [8, 16] as const) {
      const painted = paint({ texture: 'shapes', width: 20, height: 10, seed: 3 });
      const base = withAlpha(depth === 8 ? painted : at16Bits(painted), (x) => (x % 2 === 0 ? 0 : 180));
      const digests = await Promise.all([0, 99, 238].map((colour) => digest(writePng(underAlpha(base, colour)))));
      expect(new Set(digests).size).toBe(1);
    }
  });

  it('the digest of pixels follows the profile of a PNG of 16 bits as of one of 8', async () => {
    const samples = Uint8Array.from({ length: 4 * 3 * 3 }, (_, at) => at * 7);
    const size = { raw: { width: 4, height: 3, channels: 3 } } as const;
    const png = await sharp(samples, size).png().toBuffer();
    const deep = await sharp(
      Uint16Array.from(samples, (sample) => sample * 257),
      size,
    )
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    const { icc } = await sharp(await sharp(png).withIccProfile('p3').png().toBuffer()).metadata();
    const profile = pngChunk('iCCP', Buffer.concat([Buffer.from('p3\0\0', 'latin1'), deflateSync(icc ?? '')]));
    const [wide, deepAndWide] = [await decoded(withChunks(png, [profile])), await decoded(withChunks(deep, [profile]))];
    expect(deepAndWide.pixelSha256).not.toBe(await digest(deep));
    for (const [at, sample] of wide.frames[0].pixels.data.entries()) {
      expect(Math.abs((deepAndWide.frames[0].pixels.data[at] ?? 0) / 257 - sample)).toBeLessThan(1.5);
    }
  });

  it('the digest of pixels is another for one bit, another alpha, depth, size or time of a frame', async () => {
    const png = await noisyPng(40, 30);
    const raw = await sharp(png).raw().toBuffer();
    const oneBit = Buffer.from(raw);
    oneBit[1234] = (oneBit[1234] ?? 0) ^ 1;
    const frames = [png, await rawPng(oneBit, 40, 30)];
    const animated = (delay: number[]) =>
      sharp(frames, { join: { animated: true } })
        .webp({ lossless: true, delay })
        .toBuffer();
    const digests = await Promise.all(
      [
        png,
        await rawPng(oneBit, 40, 30),
        await rawPng(raw, 30, 40),
        await sharp(png).ensureAlpha(0.5).png().toBuffer(),
        await sharp(png).toColourspace('rgb16').png().toBuffer(),
        await animated([100, 100]),
        await animated([100, 50]),
      ].map(digest),
    );
    expect(new Set(digests).size).toBe(digests.length);
  });
});

describe('an AVIF image with others beside it', () => {
  const file = (name: string) => readFileSync(new URL(`../golden/avif/${name}.avif`, import.meta.url));
  const shown = async (bytes: Uint8Array) => {
    const { width, height, frames } = await decoded(bytes);
    const [{ pixels }] = frames;
    const [red = 0, green = 0, blue = 0] = pixels.data;
    return {
      size: [width, height, pixels.channels],
      frames: frames.length,
      isRed: red > green + 50 && red > blue + 50,
    };
  };

  it.each([
    ['two-sizes', [64, 48, 3]],
    ['one-size', [64, 48, 3]],
    ['thumbnail', [64, 48, 3]],
    ['alpha', [64, 48, 4]],
    ['tiles', [128, 128, 3]],
  ] as const)(
    'the primary image is one frame, without alternates, thumbnails and tiles: %s.avif',
    async (name, size) => {
      expect(await shown(file(name))).toEqual({ size, frames: 1, isRed: true });
      expect(await declaredPixels(file(name))).toBe(size[0] * size[1]);
    },
  );

  it('the primary image is the one that the file names, wherever it lies', async () => {
    const bytes = Buffer.from(file('two-sizes'));
    const primary = bytes.indexOf('pitm') + 8;
    // Items are numbered from 1.
    bytes.writeUInt16BE(bytes.readUInt16BE(primary) === 1 ? 2 : 1, primary);
    expect(await shown(bytes)).toEqual({ size: [96, 32, 3], frames: 1, isRed: false });
  });
});

it('an image of 16 bits whose samples take more than 256 MiB is refused by its header, before its pixels are allocated', async () => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(7000, 0);
  header.writeUInt32BE(7000, 4);
  header.set([16, 6, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const data = pngChunk('IDAT', deflateSync(Buffer.alloc(100)));
  const png = Buffer.concat([signature, pngChunk('IHDR', header), data, pngChunk('IEND', Buffer.alloc(0))]);
  expect(await decodeImage(png)).toEqual({
    ok: false,
    reason: { code: 'over_limit', detail: `over the limit of ${2 ** 28} bytes of decoded frames` },
  });
});
