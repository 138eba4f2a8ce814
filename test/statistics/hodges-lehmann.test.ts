import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/statistics/random.ts';
import { hodgesLehmann } from '../../src/statistics/signed-rank.ts';

/**
 * By the definition: all averages made and sorted, but those of two values that are infinite in opposite directions.
 */
function naive(values: readonly number[]): number | null {
  const averages = Float64Array.from(
    values
      .flatMap((value, at) => values.slice(at).map((other) => value / 2 + other / 2))
      .filter((average) => !Number.isNaN(average)),
  ).sort();
  const half = averages.length / 2;
  const [lower, upper] = [averages[Math.ceil(half) - 1] ?? NaN, averages[Math.floor(half)] ?? NaN];
  if (lower === -Infinity && upper === Infinity) return null;
  // Plus zero: a zero without a sign.
  return lower === upper ? lower + 0 : lower / 2 + upper / 2;
}

describe('the Hodges-Lehmann estimate', () => {
  it('the Hodges-Lehmann estimate is the median of all Walsh averages to the last bit, ties and infinite values among them', () => {
    const value = fc.oneof(
      fc.double({ min: -1e300, max: 1e300, noNaN: true }),
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(Infinity, -Infinity),
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 90, size: 'max' }), (values) => {
        expect(hodgesLehmann(values)).toBe(naive(values));
      }),
      { numRuns: 1000 },
    );
  });

  it('the Hodges-Lehmann estimate is a zero without a sign', () => {
    expect(hodgesLehmann([-0])).toBe(0);
    expect(hodgesLehmann([-0, -0])).toBe(0);
  });

  it('the Hodges-Lehmann estimate is found among 5 billion averages, which no array could hold', () => {
    const random = createRandom(3);
    const values = Array.from({ length: 100_000 }, () => random.uniform() + random.uniform());
    // The centre of a symmetric law; the standard error of the estimate is 0.0013.
    expect(hodgesLehmann(values)).toBeCloseTo(1, 2);
  });

  it('the Hodges-Lehmann estimate does not exist of nothing, nor where as many are lost on either side', () => {
    expect(hodgesLehmann([])).toBeNull();
    expect(hodgesLehmann([-Infinity, Infinity])).toBeNull();
    expect(hodgesLehmann([-Infinity, 3, Infinity])).toBe(3);
  });
});
