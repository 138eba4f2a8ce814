import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashText, RandomSource } from '../../../src/service/sampler/random.ts';

test('the same seeds give the same numbers, others give others', () => {
  fc.assert(
    fc.property(fc.nat(4294967295), fc.nat(4294967295), (a, b) => {
      const draw = (...seeds: number[]) => {
        const random = new RandomSource(...seeds);
        return Array.from({ length: 8 }, () => random.bits());
      };
      expect(draw(a, b)).toEqual(draw(a, b));
      if (a !== b) {
        expect(draw(a)).not.toEqual(draw(b));
        expect(draw(a, b)).not.toEqual(draw(b, a));
      }
    }),
  );
});

test('uniform numbers fill [0, 1) evenly', () => {
  const random = new RandomSource(3);
  const bins = new Array<number>(16).fill(0);
  for (let i = 0; i < 160_000; i++) {
    const bin = Math.floor(random.uniform() * 16);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const chiSquare = bins.reduce((sum, n) => sum + (n - 10_000) ** 2 / 10_000, 0);
  expect(chiSquare).toBeLessThan(37.7); // The 99.9 % point with 15 degrees of freedom.
});

/** Abramowitz and Stegun 26.2.17, exact to 7.5e-8. */
function cumulative(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - tail : tail;
}

test('normal numbers have the normal distribution (Kolmogorov-Smirnov), its tail too', () => {
  const random = new RandomSource(11);
  const count = 200_000;
  const drawn = Float64Array.from({ length: count }, () => random.normal()).sort();
  const apart = drawn.reduce((far, x, i) => Math.max(far, Math.abs(cumulative(x) - (i + 0.5) / count)), 0);
  expect(apart * Math.sqrt(count)).toBeLessThan(1.95); // 99.9 %.
  const beyond = drawn.filter((x) => Math.abs(x) > 3.442619855899).length;
  expect(beyond).toBeGreaterThan(70); // 115 expected.
  expect(beyond).toBeLessThan(165);
});

test('texts that differ have different numbers', () => {
  const words = ['fox', 'Fox', 'xof', 'fox ', '', 'a fox'];
  expect(new Set(words.map(hashText)).size).toBe(words.length);
});
