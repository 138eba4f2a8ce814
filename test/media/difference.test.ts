import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { differenceOf, type Sequence } from '../../src/media/difference-of.ts';
import { levelOf } from '../../src/media/level.ts';
import type { TimedPixels } from '../../src/media/pixels.ts';
import { edited } from '../fixtures/constructed/edited-pixels.ts';
import { paint } from '../fixtures/painted-images.ts';

const image = (seed: number) => paint({ texture: 'fractal', width: 48, height: 40, seed });

/** Frames by the seeds of their images, shown one after the other. */
function sequence(seeds: readonly number[], fps: number | null, rounding = 0): Sequence {
  const frames = seeds.map((seed, at): TimedPixels => {
    const atS = fps === null ? 0 : at / fps;
    return { atS: rounding === 0 ? atS : Math.round(atS / rounding) * rounding, pixels: image(seed) };
  });
  return { frames, count: frames.length, frameS: fps === null || frames.length < 2 ? null : 1 / fps };
}

const still = (pixels: TimedPixels['pixels']): Sequence => ({ frames: [{ atS: 0, pixels }], count: 1, frameS: null });

describe('differenceOf', () => {
  it('differenceOf is none for the same still, and symmetric', () => {
    const [one, other] = [sequence([1], null), sequence([2], null)];
    expect(differenceOf(one, one)).toMatchObject({ unpaired: 0, samples: { maxDifference: 0, psnrDb: null } });
    expect(differenceOf(one, other)).toEqual(differenceOf(other, one));
  });

  it('differenceOf pairs frames by the time they are shown, however that was rounded', () => {
    const slow = sequence([1, 2, 3, 4], 24);
    for (const rounding of [0, 0.001]) {
      const fast = sequence([1, 1, 2, 2, 3, 3, 4, 4], 48, rounding);
      const difference = differenceOf(slow, fast);
      expect(difference).toMatchObject({ frames: 8, unpaired: 0, samples: { maxDifference: 0 } });
      expect(levelOf(difference)).toBe('near');
    }
  });

  it('differenceOf leaves a frame that is shown after the end of the other without a counterpart', () => {
    const difference = differenceOf(sequence([1, 2, 3, 4, 5, 6], 24), sequence([1, 2, 3], 24));
    // The fourth is within a frame of the third.
    expect(difference).toMatchObject({ frames: 4, unpaired: 2, ssim: { worst: 0 } });
    // SSIM is 0 where there is none; the median of PDQ distances is that of the half that was shown.
    expect(levelOf(difference)).toBe('related');
  });

  it('differenceOf knows nothing but the hash for another size', () => {
    const small = { pixels: paint({ texture: 'fractal', width: 40, height: 40, seed: 1 }), atS: 0 };
    const difference = differenceOf(sequence([1], null), { frames: [small], count: 1, frameS: null });
    expect(difference).toMatchObject({ samples: null, ssim: null });
    expect(difference.pdqDistance).toBeTypeOf('number');
  });

  it('differenceOf tells an image turned grey from one that was compressed, which brightness alone does not', async () => {
    const pixels = paint({ texture: 'fractal', width: 96, height: 96, seed: 3 });
    const grey = Uint8Array.from(pixels.data, (_, at) => {
      const [red = 0, green = 0, blue = 0] = pixels.data.subarray(at - (at % 3), at - (at % 3) + 3);
      return Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
    });
    const raw = { raw: { width: 96, height: 96, channels: 3 } } as const;
    const jpeg = await sharp(pixels.data, raw).jpeg({ quality: 60 }).toBuffer();
    const compressed = new Uint8Array(await sharp(jpeg).raw().toBuffer());
    const [turned, kept] = [grey, compressed].map((data) => differenceOf(still(pixels), still({ ...pixels, data })));
    expect(turned).toMatchObject({
      ssim: { p5: expect.closeTo(1, 2) },
      pdqDistance: expect.toSatisfy((bits) => bits <= 4),
    });
    expect(turned?.chroma).toBeGreaterThan(5);
    expect(kept?.chroma).toBeLessThan(2.4);
    expect([turned, kept].map((difference) => difference && levelOf(difference))).toEqual(['related', 'similar']);
  });

  it('differenceOf sees no fine grain of colour from afar, from 384 pixels on, but a tint at any size', () => {
    const chromaOf = (side: number, blueAt: (x: number, y: number) => number) => {
      const data = new Uint8Array(3 * side * side).fill(128);
      const grey = { width: side, height: side, channels: 3, depth: 8, data } as const;
      const other = edited(grey, (sample, x, y, channel) => (channel === 2 ? blueAt(x, y) : sample));
      return differenceOf(still(grey), still(other)).chroma;
    };
    const grain = (x: number, y: number) => ((x + y) % 2 === 0 ? 108 : 148);
    const tint = () => 148;
    expect(chromaOf(382, grain)).toBeCloseTo(20 * Math.hypot(0.5, 0.081312), 6);
    expect(chromaOf(384, grain)).toBeCloseTo(0, 6);
    for (const side of [382, 384]) expect(chromaOf(side, tint)).toBeCloseTo(20 * Math.hypot(0.5, 0.081312), 6);
  });
});
