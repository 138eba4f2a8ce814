import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxDifference, psnr } from '../../../src/media/compare/psnr.ts';
import type { Pixels } from '../../../src/media/pixels.ts';

const SIZE = { width: 5, height: 3 };

/** Images of one size, of either depth, with alpha or without. */
const images: fc.Arbitrary<Pixels> = fc
  .record({ channels: fc.constantFrom(3 as const, 4 as const), depth: fc.constantFrom(8 as const, 16 as const) })
  .chain(({ channels, depth }) => {
    const length = SIZE.width * SIZE.height * channels;
    const data =
      depth === 8
        ? fc.uint8Array({ minLength: length, maxLength: length })
        : fc.uint16Array({ minLength: length, maxLength: length });
    return data.map((data) => ({ ...SIZE, channels, depth, data }));
  });

function grey(value: number, more: Partial<Pixels> = {}): Pixels {
  const channels = more.channels ?? 3;
  return {
    ...SIZE,
    channels,
    depth: 8,
    data: new Uint8Array(SIZE.width * SIZE.height * channels).fill(value),
    ...more,
  };
}

describe('psnr', () => {
  it('psnr is what the error of one step everywhere makes it', () => {
    expect(psnr(grey(100), grey(101))).toBeCloseTo(48.130803608679, 10);
    expect(psnr(grey(0), grey(255))).toBe(0);
  });

  it('psnr is infinite for an image and itself, and only then', () => {
    fc.assert(
      fc.property(images, images, (a, b) => {
        expect(psnr(a, a)).toBe(Number.POSITIVE_INFINITY);
        expect(maxDifference(a, a)).toBe(0);
        expect(psnr(a, b) === Number.POSITIVE_INFINITY).toBe(maxDifference(a, b) === 0);
      }),
    );
  });

  it('psnr is the same either way round, whatever depth and alpha, and the largest difference bounds it', () => {
    fc.assert(
      fc.property(images, images, (a, b) => {
        expect(psnr(a, b)).toBe(psnr(b, a));
        expect(maxDifference(a, b)).toBe(maxDifference(b, a));
        expect(maxDifference(a, b)).toBeLessThanOrEqual(1);
        const least = -20 * Math.log10(maxDifference(a, b));
        if (maxDifference(a, b) > 0) expect(psnr(a, b)).toBeGreaterThanOrEqual(least - 1e-9);
      }),
    );
  });

  it('psnr takes an image without alpha for an opaque one', () => {
    const opaque = grey(100, { channels: 4, data: new Uint8Array(60).map((_, at) => (at % 4 === 3 ? 255 : 100)) });
    const clear = grey(100, { channels: 4, data: new Uint8Array(60).map((_, at) => (at % 4 === 3 ? 0 : 100)) });
    expect(psnr(grey(100), opaque)).toBe(Number.POSITIVE_INFINITY);
    expect(maxDifference(grey(100), clear)).toBe(1);
  });

  it('psnr counts alpha alone where either image is transparent, whatever colour lies there', () => {
    const rgba = (colour: number, alpha: number) =>
      grey(0, { channels: 4, data: new Uint8Array(60).map((_, at) => (at % 4 === 3 ? alpha : colour)) });
    expect(psnr(rgba(10, 0), rgba(248, 0))).toBe(Number.POSITIVE_INFINITY);
    expect(maxDifference(rgba(10, 0), rgba(248, 1))).toBe(1 / 255);
    expect(maxDifference(rgba(10, 1), rgba(248, 1))).toBe(238 / 255);
  });

  it('psnr takes an 8-bit sample for the 16-bit one of the same share', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), (value) => {
        const deep = grey(0, { depth: 16, data: new Uint16Array(45).fill(value * 257) });
        expect(maxDifference(grey(value), deep)).toBe(0);
      }),
    );
    const oneUp = grey(0, { depth: 16, data: new Uint16Array(45).fill(1) });
    expect(maxDifference(grey(0), oneUp)).toBe(1 / 65_535);
  });

  it('psnr refuses other sizes and nothing', () => {
    const turned = { ...grey(1), width: SIZE.height, height: SIZE.width };
    expect(() => psnr(grey(1), turned)).toThrow('sizes differ');
    expect(() => maxDifference(grey(1), turned)).toThrow('sizes differ');
    const empty = { ...grey(1), width: 0 };
    expect(() => psnr(empty, empty)).toThrow('no pixels');
  });
});
