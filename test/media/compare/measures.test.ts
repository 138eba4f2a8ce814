import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxDifference, psnr } from '../../../src/media/compare/psnr.ts';
import { fromAfar, ssim } from '../../../src/media/compare/ssim.ts';
import { layerOf, type OutputDigests } from '../../../src/media/level.ts';
import { type Luma, lumaOf, type Pixels } from '../../../src/media/pixels.ts';
import { paint } from '../../fixtures/painted-images.ts';

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

const ONE: OutputDigests = { sha256: 'a', strippedSha256: 'b', pixelSha256: 'c' };

describe('layerOf', () => {
  it.each([
    ['none', ONE],
    ['metadata', { ...ONE, sha256: 'x' }],
    ['encoding', { ...ONE, sha256: 'x', strippedSha256: 'x' }],
    ['pixels', { sha256: 'x', strippedSha256: 'x', pixelSha256: 'x' }],
  ] as const)('layerOf is %s where the digests before it differ', (layer, other) => {
    expect(layerOf(ONE, other)).toBe(layer);
    expect(layerOf(other, ONE)).toBe(layer);
  });

  it('layerOf never says metadata for two formats without stripped digests', () => {
    const untold = { ...ONE, strippedSha256: null };
    expect(layerOf(untold, { ...untold, sha256: 'x' })).toBe('encoding');
    expect(layerOf(untold, { ...untold, sha256: 'x', pixelSha256: 'x' })).toBe('pixels');
    expect(layerOf(untold, { ...ONE, sha256: 'x' })).toBe('encoding');
  });
});
