import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pdq, pdqDistance } from '../../src/media/pdq.ts';
import { type Luma, lumaOf } from '../../src/media/pixels.ts';
import { paint } from '../fixtures/painted-images.ts';

const hashes = fc
  .array(fc.integer({ min: 0, max: 15 }), { minLength: 64, maxLength: 64 })
  .map((digits) => digits.map((digit) => digit.toString(16)).join(''));

const images = fc
  .record({ width: fc.integer({ min: 1, max: 200 }), height: fc.integer({ min: 1, max: 200 }), seed: fc.nat(1000) })
  .map(({ width, height, seed }) => lumaOf(paint({ texture: 'fractal', width, height, seed })));

describe('pdqDistance', () => {
  it('pdqDistance is a metric of 256 bits', () => {
    fc.assert(
      fc.property(hashes, hashes, hashes, (a, b, c) => {
        expect(pdqDistance(a, a)).toBe(0);
        expect(pdqDistance(a, b)).toBe(pdqDistance(b, a));
        expect(pdqDistance(a, b) === 0).toBe(a === b);
        expect(pdqDistance(a, c)).toBeLessThanOrEqual(pdqDistance(a, b) + pdqDistance(b, c));
        const other = (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(2).replaceAll('0', '').length;
        expect(pdqDistance(a, b)).toBe(other);
      }),
    );
    expect(pdqDistance('0'.repeat(64), 'f'.repeat(64))).toBe(256);
  });

  it('pdqDistance refuses what is not a hash', () => {
    for (const wrong of ['', 'f'.repeat(63), 'f'.repeat(65), 'F'.repeat(64), 'g'.repeat(64)]) {
      expect(() => pdqDistance(wrong, '0'.repeat(64))).toThrow('is not a PDQ hash');
      expect(() => pdqDistance('0'.repeat(64), wrong)).toThrow('is not a PDQ hash');
    }
  });
});

describe('pdq', () => {
  it('pdq is the same for the same brightness, and does not change it', () => {
    fc.assert(
      fc.property(images, (luma) => {
        const before = luma.data.slice();
        const hash = pdq(luma);
        expect(pdq({ ...luma, data: luma.data.slice() })).toEqual(hash);
        expect(luma.data.every((value, at) => value === before[at])).toBe(true);
        expect(hash.hash).toMatch(/^[0-9a-f]{64}$/);
        expect(hash.quality).toBeGreaterThanOrEqual(0);
        expect(hash.quality).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('pdq gives no hash for a side below 5 pixels, and one from there on', () => {
    const nothing = { hash: '0'.repeat(64), quality: 0 };
    expect(pdq(scene(4, 300))).toEqual(nothing);
    expect(pdq(scene(300, 4))).toEqual(nothing);
    expect(pdq(scene(5, 5)).hash).not.toBe(nothing.hash);
  });

  it('pdq gives no quality where there is nothing to see', () => {
    expect(pdq({ width: 300, height: 200, data: new Float64Array(60_000) })).toEqual({
      hash: '0'.repeat(64),
      quality: 0,
    });
    expect(pdq({ width: 300, height: 200, data: new Float64Array(60_000).fill(200) }).quality).toBe(0);
  });
});

function scene(width: number, height: number): Luma {
  return lumaOf(paint({ texture: 'scene', width, height, seed: 1 }));
}
