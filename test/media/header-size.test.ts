import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it, test } from 'vitest';
import { headerSize } from '../../src/media/header.ts';

const golden = (name: string) => readFileSync(new URL(`../golden/video/${name}`, import.meta.url));
const image = () =>
  sharp({ create: { width: 310, height: 207, channels: 4, background: { r: 9, g: 99, b: 200, alpha: 0.5 } } });

describe('the size that a header declares', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('an image in %s: has its megapixels', async (format) => {
    expect(headerSize(await image().toFormat(format).toBuffer(), 'megapixel')).toBeCloseTo((310 * 207) / 1e6, 12);
  });

  test.each([
    ['lossy', { quality: 80 }],
    ['lossless', { lossless: true }],
  ] as const)('an opaque %s image in WebP: has its megapixels', async (_how, options) => {
    const bytes = await image().flatten().webp(options).toBuffer();
    expect(headerSize(bytes, 'megapixel')).toBeCloseTo((310 * 207) / 1e6, 12);
  });

  test.each(['progressive', 'with metadata'])('a JPEG %s: has its megapixels', async (how) => {
    const jpeg =
      how === 'progressive'
        ? image().jpeg({ progressive: true })
        : image()
            .withExif({ IFD0: { Artist: 'x' } })
            .jpeg();
    expect(headerSize(await jpeg.toBuffer(), 'megapixel')).toBeCloseTo((310 * 207) / 1e6, 12);
  });

  it('a video in MP4: has the seconds of its movie header', () => {
    for (const name of ['plain.mp4', 'sound.mp4', 'turned.mp4', 'odd.mp4']) {
      const bytes = golden(name);
      const at = bytes.indexOf('mvhd') + 4;
      const seconds = bytes.readUInt32BE(at + 16) / bytes.readUInt32BE(at + 12);
      expect(seconds).toBeGreaterThan(0);
      expect(headerSize(bytes, 'second')).toBe(seconds);
    }
  });

  it('a video whose movie header gives no duration: has no seconds', () => {
    for (const ticks of [0, 0xffffffff]) {
      const bytes = Buffer.from(golden('plain.mp4'));
      bytes.writeUInt32BE(ticks, bytes.indexOf('mvhd') + 4 + 16);
      expect(headerSize(bytes, 'second')).toBeNull();
    }
  });

  it('other bytes: have no size', async () => {
    expect(headerSize(golden('vp9.webm'), 'second')).toBeNull();
    expect(headerSize(await image().png().toBuffer(), 'second')).toBeNull();
    expect(headerSize(golden('plain.mp4'), 'megapixel')).toBeNull();
    expect(headerSize(new Uint8Array(), 'megapixel')).toBeNull();
  });

  it('a damaged header: is read without an error', async () => {
    const media = [golden('plain.mp4')];
    for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) media.push(await image().toFormat(format).toBuffer());
    const damage = fc.record({ of: fc.nat(), cut: fc.nat(), at: fc.nat({ max: 200 }), to: fc.nat({ max: 255 }) });
    fc.assert(
      fc.property(damage, ({ of, cut, at, to }) => {
        const whole = media[of % media.length] ?? Buffer.alloc(0);
        const bytes = Buffer.from(whole.subarray(0, cut % 2 === 0 ? whole.length : cut % 300));
        if (at < bytes.length) bytes[at] = to;
        for (const unit of ['second', 'megapixel'] as const) {
          const size = headerSize(bytes, unit);
          expect(size === null || (Number.isFinite(size) && size >= 0)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
