import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromAfar, ssim } from '../../../src/media/compare/ssim.ts';
import { type Luma, lumaOf } from '../../../src/media/pixels.ts';
import { paint } from '../../fixtures/painted-images.ts';

/** Two images of one size, often narrower than the window and often wider than a piece that is worked on at a time. */
const pairs: fc.Arbitrary<readonly [Luma, Luma]> = fc
  .record({
    width: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 60, max: 90 })),
    height: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 40, max: 60 })),
    seed: fc.nat(1000),
  })
  .map(({ width, height, seed }) => [noise(width, height, seed), noise(width, height, seed + 1)]);

function noise(width: number, height: number, seed: number): Luma {
  return lumaOf(paint({ texture: 'noise', width, height, seed }));
}

describe('ssim', () => {
  it('ssim is exactly 1 for an image and itself', () => {
    fc.assert(
      fc.property(pairs, ([a]) => {
        expect(ssim(a, a)).toBe(1);
        expect(ssim(fromAfar(a), fromAfar(a))).toBe(1);
      }),
    );
  });

  it('ssim is the same either way round, and from -1 to 1', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const index = ssim(a, b);
        expect(ssim(b, a)).toBe(index);
        expect(Math.abs(index)).toBeLessThanOrEqual(1);
        expect(index).toBeLessThan(1);
      }),
    );
  });

  it('ssim of plain images compares brightness alone', () => {
    const plain = (value: number): Luma => ({ width: 30, height: 20, data: new Float64Array(600).fill(value) });
    const c1 = 6.5025;
    expect(ssim(plain(100), plain(120))).toBeCloseTo((2 * 100 * 120 + c1) / (100 * 100 + 120 * 120 + c1), 12);
  });

  it('ssim sees less of fine noise where the image is made smaller first, and nothing other below 384 pixels', () => {
    const large = lumaOf(paint({ texture: 'shapes', width: 400, height: 390, seed: 4 }));
    const grain = noise(400, 390, 5).data;
    const noisy = { ...large, data: large.data.map((value, at) => value + ((grain[at] ?? 0) - 128) / 8) };
    expect(ssim(fromAfar(large), fromAfar(noisy))).toBeGreaterThan(ssim(large, noisy) + 0.05);
    const [a, b] = [noise(383, 400, 1), noise(383, 400, 2)];
    expect(ssim(fromAfar(a), fromAfar(b))).toBe(ssim(a, b));
  });

  it('ssim of an image smaller than the window weighs its middle most', () => {
    const small: Luma = { width: 5, height: 5, data: new Float64Array(25).fill(100) };
    const with180At = (at: number) => ({
      ...small,
      data: small.data.map((value, place) => (place === at ? 180 : value)),
    });
    expect(ssim(small, with180At(12))).toBeLessThan(ssim(small, with180At(0)));
    expect(ssim(small, with180At(0))).toBeLessThan(1);
  });

  it('ssim refuses other sizes and nothing', () => {
    expect(() => ssim(noise(20, 30, 1), noise(30, 20, 1))).toThrow('sizes differ');
    const empty = { width: 0, height: 4, data: new Float64Array(0) };
    expect(() => ssim(empty, empty)).toThrow('no pixels');
  });
});
