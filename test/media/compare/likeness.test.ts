import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlation } from '../../../src/media/compare/psnr.ts';
import { shrink } from '../../../src/media/compare/shrink.ts';
import type { Difference } from '../../../src/media/difference.ts';
import { differenceOf } from '../../../src/media/difference-of.ts';
import {
  DEFAULT_LIMITS,
  decisionOf,
  isAtLeast,
  LEVELS,
  levelOf,
  likenessOf,
  unlikenessOf,
} from '../../../src/media/level.ts';
import { lumaOf, type Pixels } from '../../../src/media/pixels.ts';
import { blurred, edited, halfTurned, noisy, resized, shifted } from '../../fixtures/constructed/edited-pixels.ts';
import { type Painting, paint } from '../../fixtures/painted-images.ts';
import { buildDifference } from '../../fixtures/stored-run-builder.ts';

const still = (pixels: Pixels) => ({ frames: [{ atS: 0, pixels }], count: 1, frameS: null });

function wordFor(a: Pixels, b: Pixels) {
  const difference = differenceOf(still(a), still(b));
  return likenessOf(levelOf(difference), difference);
}

const image = (texture: Painting['texture'], seed = 1): Pixels => paint({ texture, width: 192, height: 144, seed });
const mirrored = (pixels: Pixels): Pixels => {
  const { width, data } = pixels;
  return edited(pixels, (_, x, y, channel) => data[(y * width + (width - 1 - x)) * 3 + channel] ?? 0);
};
const faint = (pixels: Pixels): Pixels => edited(pixels, (sample) => 40 + 0.1 * sample);
/** Symmetric: half of the frequencies of PDQ are nothing but rounding. */
const disc = edited(image('plain'), (_, x, y) => ((x - 96) * (x - 96) + (y - 72) * (y - 72) < 900 ? 60 : 245));

const found = (told: Partial<Difference>): Difference => ({
  ...buildDifference(0.7, 40, { correlation: 0.95 }),
  ...told,
});

const marked = (pixels: Pixels): Pixels => {
  const side = Math.round(Math.sqrt(0.006 * pixels.width * pixels.height));
  return edited(pixels, (sample, x, y) => (x >= pixels.width - side && y >= pixels.height - side ? 128 : sample));
};
/** A small disc on a plain ground, so far from the left. */
const discAt = (left: number): Pixels =>
  edited(image('plain'), (_, x, y) => (Math.hypot(x - left, y - 72) < 5 ? 60 : 200));

describe('the measure that decides', () => {
  it('a mark in a corner keeps an image similar, however many bits of PDQ it turns', () => {
    for (const texture of ['fractal', 'scene', 'shapes', 'strokes'] as const) {
      expect(wordFor(image(texture), marked(image(texture))), texture).toBe('similar');
    }
    const bits = (pdqDistance: number, p5: number) => levelOf(found({ pdqDistance, ssim: { p5, worst: p5 } }));
    expect([bits(31, 0.981), bits(10, 0.96), bits(11, 0.98), bits(90, 0.99)]).toEqual([
      'similar',
      'similar',
      'related',
      'similar',
    ]);
    // Unless light and dark lie elsewhere too.
    const elsewhere = found({ pdqDistance: 90, ssim: { p5: 0.99, worst: 0.99 }, correlation: 0.4 });
    expect(levelOf(elsewhere)).toBe('different');
  });

  it('a small thing that moves on a plain ground is another picture, although SSIM hardly sees it', () => {
    expect(differenceOf(still(discAt(40)), still(discAt(150))).ssim?.p5).toBeGreaterThan(0.98);
    expect(wordFor(discAt(40), discAt(150))).toBe('another');
  });

  it.each([
    ['size', { samples: null, ssim: null }, null, null],
    ['ssim', { ssim: { p5: 0.94, worst: 0.94 } }, 0.94, 0.95],
    ['worst_ssim', { ssim: { p5: 0.96, worst: 0.8 } }, 0.8, 0.95 - 0.05],
    ['chroma', { ssim: { p5: 0.96, worst: 0.96 }, chroma: 4.5 }, 4.5, 4],
    ['pdq', { ssim: { p5: 0.96, worst: 0.96 }, pdqDistance: 14 }, 14, 10],
    ['pdq', { ssim: { p5: 0.99, worst: 0.99 }, pdqDistance: 90, correlation: 0.5 }, 90, 10],
  ] as const)('%s is what keeps a pair from being similar: %j', (measure, told, value, limit) => {
    expect(unlikenessOf(found(told), DEFAULT_LIMITS)).toEqual({ measure, value, limit });
  });

  it('a pair is similar where no measure keeps it from that, and else one decides its word', () => {
    const measures = fc.record({
      pdqDistance: fc.option(fc.nat(256)),
      p5: fc.double({ min: 0.9, max: 1, noNaN: true }),
      correlation: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(measures, ({ pdqDistance, p5, correlation: like }) => {
        const difference = found({ pdqDistance, ssim: { p5, worst: p5 }, correlation: like });
        const level = levelOf(difference);
        expect(isAtLeast(level, 'similar')).toBe(unlikenessOf(difference, DEFAULT_LIMITS) === null);
        const word = likenessOf(level, difference);
        if (word === null) throw new Error('no word');
        expect(decisionOf(word, difference, DEFAULT_LIMITS) === null).toBe(word === 'similar');
      }),
    );
  });

  it('SSIM of a large image sees it as from afar: fine noise does not count as it does in a small one', () => {
    const large = paint({ texture: 'fractal', width: 512, height: 384, seed: 1 });
    const small = resized(large, 256, 192);
    const ssimOf = (pixels: Pixels) => differenceOf(still(pixels), still(noisy(pixels, 8, 1))).ssim?.p5 ?? 0;
    expect(ssimOf(large)).toBeGreaterThan(ssimOf(small) + 0.05);
  });
});

describe('likenessOf', () => {
  const fractal = image('fractal');

  it.each([
    ['noise', noisy(fractal, 3, 1), 'similar'],
    ['a little blur', blurred(fractal, 1), 'similar'],
    ['a shift', shifted(fractal, 2, 2), 'changed'],
    ['half the size', resized(fractal, 96, 72), 'changed'],
  ] as const)('likenessOf takes an image for the same picture after %s', (_, other, word) => {
    expect(wordFor(fractal, other)).toBe(word);
  });

  it.each([
    ['its mirror image', mirrored(fractal)],
    ['itself upside down', halfTurned(fractal)],
    ['another seed', image('fractal', 77)],
    ['another image', image('shapes')],
  ] as const)('likenessOf tells an image from %s, also where both are too faint for PDQ', (_, other) => {
    expect(wordFor(fractal, other)).toBe('another');
    expect(differenceOf(still(faint(fractal)), still(faint(other))).pdqDistance).toBeNull();
    expect(wordFor(faint(fractal), faint(other))).toBe('another');
  });

  it('likenessOf does not take a smooth image for another one because PDQ does', () => {
    const half = resized(disc, 96, 72);
    const [sharp, soft] = [noisy(disc, 8, 1), blurred(image('stripes'), 1)];
    expect(differenceOf(still(image('stripes')), still(soft)).pdqDistance).toBeGreaterThan(80);
    expect([wordFor(disc, half), wordFor(disc, sharp), wordFor(image('stripes'), soft)]).not.toContain('another');
  });

  it.each([
    [{ pdqDistance: 80, correlation: 0.2 }, 'changed'],
    [{ pdqDistance: 81, correlation: 0.89 }, 'another'],
    [{ pdqDistance: 81, correlation: 0.9 }, 'changed'],
    [{ pdqDistance: null, correlation: 0.79 }, 'another'],
    [{ pdqDistance: null, correlation: 0.8 }, 'changed'],
    [{ pdqDistance: 81, ssim: null, samples: null, chroma: null, correlation: 0.3 }, 'another'],
  ] as const)('likenessOf decides %j', (told, word) => {
    expect(likenessOf('different', found(told))).toBe(word);
  });

  it('likenessOf decides without a correlation by PDQ, and without either only what the level says', () => {
    const { correlation: _, ...old } = found({ pdqDistance: 90 });
    expect(likenessOf('different', old)).toBe('another');
    expect(likenessOf('similar', { ...old, pdqDistance: null })).toBe('similar');
    expect(likenessOf('different', { ...old, pdqDistance: null })).toBeNull();
  });

  it('likenessOf says similar of every level from similar on, and another of no nearer pair than of a farther one', () => {
    const distance = fc.record({
      pdqDistance: fc.integer({ min: 0, max: 256 }),
      correlation: fc.double({ min: -1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...LEVELS), distance, fc.nat(60), (level, told, nearer) => {
        const word = likenessOf(level, found(told));
        expect(word === 'similar').toBe(LEVELS.indexOf(level) <= LEVELS.indexOf('similar'));
        const near = found({ ...told, pdqDistance: Math.max(0, told.pdqDistance - nearer) });
        if (word !== 'another') expect(likenessOf(level, near)).not.toBe('another');
      }),
    );
  });
});

describe('correlation', () => {
  const block = (pixels: Pixels) => shrink(lumaOf(pixels));

  it('correlation does not depend on contrast and brightness', () => {
    const pixels = image('scene');
    const dark = edited(pixels, (sample) => 20 + 0.5 * sample);
    expect(correlation(block(pixels), block(dark))).toBeGreaterThan(0.999);
    expect(correlation(block(pixels), block(edited(pixels, (sample) => 255 - sample)))).toBeLessThan(-0.999);
  });

  it('correlation is that of the definition', () => {
    const [a, b] = [Float32Array.of(0, 10, 20, 30), Float32Array.of(10, 0, 30, 20)];
    // Covariance 300, both variances 500.
    expect(correlation(a, b)).toBeCloseTo(0.6, 12);
  });

  it('correlation is 1 of two images that show nothing, 0 of one and another', () => {
    const [grey, white] = [new Float32Array(64).fill(90.1), new Float32Array(64).fill(255)];
    const shown = Float32Array.from({ length: 64 }, (_, at) => 4 * at);
    expect([correlation(grey, white), correlation(grey, shown), correlation(shown, grey)]).toEqual([1, 0, 0]);
  });

  it('correlation has an image of one pixel and of few rows', () => {
    for (const [width, height] of [
      [1, 1],
      [3, 200],
      [200, 2],
    ] as const) {
      const pixels = paint({ texture: 'noise', width, height, seed: 4 });
      expect(correlation(block(pixels), block(pixels))).toBe(1);
    }
  });
});
