import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pdq, pdqDistance } from '../../../src/media/compare/pdq.ts';
import { type Luma, lumaOf } from '../../../src/media/pixels.ts';
import { paint } from '../../fixtures/painted-images.ts';

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

  it('pdq sets half of the bits, no more', () => {
    fc.assert(
      fc.property(images, (luma) => {
        expect(pdqDistance(pdq(luma).hash, '0'.repeat(64))).toBeLessThanOrEqual(128);
      }),
    );
    expect(pdqDistance(pdq(scene(200, 150)).hash, '0'.repeat(64))).toBe(128);
  });

  it('pdq hardly changes when all is brighter or has less contrast, and still matches at another size', () => {
    const { hash, quality } = pdq(scene(480, 360));
    expect(quality).toBe(100);
    const changed = (to: (value: number) => number) => {
      const luma = scene(480, 360);
      return pdq({ ...luma, data: luma.data.map(to) }).hash;
    };
    expect(
      pdqDistance(
        hash,
        changed((value) => value + 20),
      ),
    ).toBeLessThanOrEqual(2);
    expect(
      pdqDistance(
        hash,
        changed((value) => 40 + value / 2),
      ),
    ).toBeLessThanOrEqual(2);
    // 31 bits: within them Meta takes two images for the same one.
    expect(pdqDistance(hash, pdq(halved(scene(480, 360))).hash)).toBeLessThanOrEqual(31);
  });

  it('pdq of a negative has all bits but one or two turned', () => {
    const luma = scene(300, 200);
    const negative = { ...luma, data: luma.data.map((value) => 255 - value) };
    expect(pdqDistance(pdq(luma).hash, pdq(negative).hash)).toBeGreaterThanOrEqual(254);
  });

  it('pdq is far from that of another image', () => {
    const other = lumaOf(paint({ texture: 'fractal', width: 300, height: 200, seed: 8 }));
    expect(pdqDistance(pdq(scene(300, 200)).hash, pdq(other).hash)).toBeGreaterThan(80);
  });

  it('pdq takes an image of 64 x 64 unchanged', () => {
    const luma = scene(64, 64);
    const doubled: Luma = {
      width: 128,
      height: 128,
      data: new Float64Array(128 * 128).map((_, at) => luma.data[(at >> 8) * 64 + ((at % 128) >> 1)] ?? 0),
    };
    // Twice the size has a filter one pixel wide, which changes nothing.
    expect(pdq(doubled)).toEqual(pdq(luma));
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

function halved({ width, height, data }: Luma): Luma {
  const half = new Float64Array((width / 2) * (height / 2)).map((_, at) => {
    const first = 2 * Math.floor(at / (width / 2)) * width + 2 * (at % (width / 2));
    return [0, 1, width, width + 1].reduce((sum, more) => sum + (data[first + more] ?? 0), 0) / 4;
  });
  return { width: width / 2, height: height / 2, data: half };
}
