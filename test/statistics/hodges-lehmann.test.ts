import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hodgesLehmann } from '../../src/statistics/hodges-lehmann.ts';
import { createRandom } from '../../src/statistics/random.ts';

/** By the definition: all averages made and sorted. */
function naive(values: readonly number[]): number {
  const averages = values.flatMap((value, at) => values.slice(at).map((other) => value / 2 + other / 2));
  averages.sort((a, b) => a - b);
  const half = averages.length / 2;
  const [lower, upper] = [averages[Math.ceil(half) - 1] ?? NaN, averages[Math.floor(half)] ?? NaN];
  // Plus zero: a zero without a sign.
  return upper === Infinity ? Infinity : lower + (upper - lower) / 2 + 0;
}

describe('the Hodges-Lehmann estimate', () => {
  it('is the median of all Walsh averages to the last bit, ties and infinite values among them', () => {
    const value = fc.oneof(
      fc.double({ min: -1e300, max: 1e300, noNaN: true }),
      fc.integer({ min: -3, max: 3 }),
      fc.constant(Infinity),
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), (values) => {
        expect(hodgesLehmann(values)).toBe(naive(values));
      }),
      { numRuns: 2000 },
    );
  });

  it('is a zero without a sign', () => {
    expect(hodgesLehmann([-0])).toBe(0);
    expect(hodgesLehmann([-0, -0])).toBe(0);
  });

  it('is found among 5 billion averages, which no array could hold', () => {
    const random = createRandom(3);
    const values = Array.from({ length: 100_000 }, () => random.uniform() + random.uniform());
    // The centre of a symmetric law; the standard error of the estimate is 0.0013.
    expect(hodgesLehmann(values)).toBeCloseTo(1, 2);
  });

  it('does not exist of nothing', () => {
    expect(hodgesLehmann([])).toBeNull();
  });
});
