import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intervalOf, twoSidedP } from '../../src/statistics/pair-test.ts';
import { extendedMedian, median, sortSample } from '../../src/statistics/quantile.ts';
import { createRandom } from '../../src/statistics/random.ts';
import {
  fewestForSignedRank,
  hodgesLehmann,
  signedRankTest,
  smallestSignedRankP,
} from '../../src/statistics/signed-rank.ts';
import { draws } from '../test-options.ts';

/** All signs of the sizes found, tried one after the other: what the exact p is by definition. */
function enumerated(differences: readonly number[]): { atLeast: number; atMost: number } {
  const sizes = differences.filter((each) => each !== 0).map(Math.abs);
  const rank = (size: number) =>
    sizes.filter((other) => other < size).length + (sizes.filter((other) => other === size).length + 1) / 2;
  const ranks = sizes.map(rank);
  const observed = differences.filter((each) => each > 0).reduce((total, each) => total + rank(each), 0);
  const all = 2 ** sizes.length;
  let atLeast = 0;
  let atMost = 0;
  for (let signs = 0; signs < all; signs += 1) {
    const sum = ranks.reduce((total, each, at) => total + (signs & (1 << at) ? each : 0), 0);
    if (sum >= observed) atLeast += 1;
    if (sum <= observed) atMost += 1;
  }
  return { atLeast: atLeast / all, atMost: atMost / all };
}

const above = (values: readonly number[], change = 0) => signedRankTest(values).greater(change) ?? 1;
const below = (values: readonly number[], change = 0) => signedRankTest(values).less(change) ?? 1;
/** Two-sided p of a change of so much. */
const beside = (values: readonly number[], change: number) =>
  Math.min(1, 2 * Math.min(above(values, change), below(values, change)));
const rising = (n: number) => Array.from({ length: n }, (_, at) => at + 1);

describe('the signed rank test', () => {
  it('the signed rank test is exact with ties and zeros, as all signs tried say', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 11 }), (differences) => {
        const { atLeast, atMost } = enumerated(differences);
        expect(above(differences)).toBeCloseTo(atLeast, 12);
        expect(below(differences)).toBeCloseTo(atMost, 12);
        expect(twoSidedP(signedRankTest(differences)) ?? 1).toBeCloseTo(Math.min(1, 2 * Math.min(atLeast, atMost)), 12);
      }),
      { numRuns: draws(300) },
    );
  });

  it('the signed rank test says nothing of nothing', () => {
    expect(signedRankTest([]).greater(0)).toBeNull();
    expect(above([0, 0])).toBe(1);
  });

  it('the signed rank test reaches one-sided 1 % from 7 differences on', () => {
    expect(above(rising(6))).toBeGreaterThan(0.01);
    expect(above(rising(7))).toBe(1 / 128);
  });

  it('the signed rank test gives infinite differences the highest rank, shared either way', () => {
    const finite = [3, -1, 2, 5, -4];
    const lost = [...finite, Infinity, -Infinity, Infinity];
    for (const p of [above, below]) {
      expect(p(lost)).toBe(p([...finite, 99, -99, 99]));
      expect(p(lost, 1.3)).toBe(p([...finite.map((each) => each - 1.3), 99, -99, 99]));
    }
  });

  it('the signed rank test looks at differences less the change, and drops those equal to it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 })), fc.integer({ min: -5, max: 5 }), (differences, change) => {
        const moved = differences.map((each) => each + change);
        expect(above(moved, change)).toEqual(above(differences));
      }),
    );
  });

  it('the signed rank test cannot give a smaller p than 2^-n', () => {
    for (const n of [0, 1, 5, 20, 50]) {
      expect(smallestSignedRankP(n)).toBe(2 ** -n);
      expect(above(rising(n))).toBe(2 ** -n);
    }
    expect(above(rising(80))).toBe(smallestSignedRankP(80));
  });

  it('the signed rank test needs 5, 6, 8 and 9 units for a 5 % shared by 1, 3, 7 and 20 tests', () => {
    expect([1, 3, 7, 20].map((m) => fewestForSignedRank(0.05 / m))).toEqual([5, 6, 8, 9]);
    expect(fewestForSignedRank(1)).toBe(0);
    expect(() => fewestForSignedRank(0)).toThrow(RangeError);
  });

  it('the signed rank test refuses NaN', () => {
    expect(() => above([1, Number.NaN])).toThrow(/NaN/);
  });
});

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
      { numRuns: draws(1000) },
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

/** Whole numbers have many ties; infinite ones stand for trials that one side lost. */
const difference = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -6, max: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(Infinity, -Infinity) },
);
const level = fc.constantFrom(0.5, 0.8, 0.9, 0.95, 0.975);

/**
 * Of whole numbers every Walsh average is a multiple of 1/2: at a quarter beside, no difference is 0 and none become
 * alike.
 */
const BESIDE = Array.from({ length: 45 }, (_, at) => (at - 16) / 2 + 0.25);

function many(n: number, draw: fc.Arbitrary<number>): fc.Arbitrary<number[]> {
  return fc.array(draw, { minLength: n, maxLength: n });
}

describe('signedRankTest', () => {
  it('the interval of signedRankTest contains exactly the shifts that the signed rank test does not reject, ties and infinite values among them', () => {
    fc.assert(
      fc.property(fc.array(difference, { maxLength: 14 }), level, (values, confidence) => {
        const interval = intervalOf(signedRankTest(values), confidence);
        if (interval === null) return;
        for (const shift of BESIDE) {
          const kept = beside(values, shift) > 1 - confidence;
          expect([shift, interval.low < shift && shift < interval.high]).toEqual([shift, kept]);
        }
      }),
      { numRuns: draws(400) },
    );
  });

  it('the interval of signedRankTest contains exactly the shifts that the approximate test does not reject, above 50 values', () => {
    fc.assert(
      fc.property(many(60, difference), level, (values, confidence) => {
        const interval = intervalOf(signedRankTest(values), confidence);
        for (const shift of BESIDE) {
          const kept = beside(values, shift) > 1 - confidence;
          expect((interval?.low ?? 0) < shift && shift < (interval?.high ?? 0)).toBe(kept);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('the interval of signedRankTest ends where the approximate test begins to reject, with a third of the values lost', () => {
    const draw = fc.tuple(fc.integer(), fc.nat(20), fc.constantFrom(0.5, 0.8, 0.9));
    fc.assert(
      fc.property(draw, ([seed, above, confidence]) => {
        const random = createRandom(seed);
        const lost = [...Array<number>(above).fill(Infinity), ...Array<number>(20 - above).fill(-Infinity)];
        const all = [...Array.from({ length: 40 }, () => 20 * random.uniform() - 10), ...lost];
        const interval = intervalOf(signedRankTest(all), confidence);
        if (interval === null) return;
        for (const [end, outwards] of [
          [interval.low, -1],
          [interval.high, 1],
        ] as const) {
          if (!Number.isFinite(end)) continue;
          expect(beside(all, end + outwards * 1e-7)).toBeLessThanOrEqual(1 - confidence);
          expect(beside(all, end - outwards * 1e-7)).toBeGreaterThan(1 - confidence);
        }
      }),
      { numRuns: draws(200) },
    );
  });

  it('the interval of signedRankTest exists from 6 differences on at 95 %, one-sided from 5', () => {
    expect(intervalOf(signedRankTest([]), 0.95)).toBeNull();
    expect(intervalOf(signedRankTest(rising(5)), 0.95)).toBeNull();
    expect(intervalOf(signedRankTest(rising(6)), 0.95)).toEqual({ low: 1, high: 6 });
    expect(signedRankTest(rising(4)).upper(0.95)).toBeNull();
    expect(signedRankTest(rising(5)).upper(0.95)).toBe(5);
    expect(fewestForSignedRank(0.05 / 2)).toBe(6);
    expect(fewestForSignedRank(0.05)).toBe(5);
  });

  it('the interval of signedRankTest is open at an end that too many lost trials hold', () => {
    expect(intervalOf(signedRankTest([1, 2, 3, 4, 5, 6, 7, Infinity]), 0.95)).toEqual({ low: 2, high: Infinity });
    expect(intervalOf(signedRankTest([-Infinity, 1, 2, 3, 4, 5, 6, 7]), 0.95)?.low).toBe(-Infinity);
    expect(signedRankTest(Array<number>(12).fill(-Infinity)).upper(0.95)).toBe(-Infinity);
    expect(
      intervalOf(signedRankTest([...Array<number>(70).fill(1), ...Array<number>(30).fill(Infinity)]), 0.95),
    ).toEqual({
      low: 1,
      high: Infinity,
    });
  });

  it('the interval of signedRankTest is found among 50 million averages, which need not be held', () => {
    const random = createRandom(5);
    const values = Array.from({ length: 10_000 }, () => random.uniform() + random.uniform());
    const interval = intervalOf(signedRankTest(values), 0.95);
    // The centre of a symmetric law; the standard error of the estimate is 0.0043.
    const [low, high] = [interval?.low ?? Number.NaN, interval?.high ?? Number.NaN];
    expect(Math.abs((low + high) / 2 - 1)).toBeLessThan(4 * 0.0043);
    expect(Math.abs((high - low) / (2 * 1.96 * 0.0043) - 1)).toBeLessThan(0.1);
  });

  it('the interval of signedRankTest refuses NaN and a level that is none', () => {
    expect(() => intervalOf(signedRankTest([1, Number.NaN]), 0.95)).toThrow(/NaN/);
    expect(() => intervalOf(signedRankTest([1]), 1)).toThrow(/level/);
    expect(() => signedRankTest([1]).upper(0)).toThrow(/level/);
  });
});

describe('extendedMedian', () => {
  it('extendedMedian is the sample median where no value is below every number', () => {
    const value = fc.oneof(fc.integer(), fc.constant(Infinity));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 12 }), (values) => {
        expect(extendedMedian(values)).toBe(median(sortSample(values)));
      }),
    );
  });

  it('extendedMedian turns over with the values, infinite ones included', () => {
    const value = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(Infinity, -Infinity));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 9 }), (values) => {
        const middle = extendedMedian(values);
        expect(extendedMedian(values.map((each) => 0 - each))).toBe(middle === null ? null : 0 - middle);
      }),
    );
  });

  it('extendedMedian is lost where half are lost on either side, and infinite where one side lost more', () => {
    expect(extendedMedian([-Infinity, Infinity])).toBeNull();
    expect(extendedMedian([-Infinity, 1, Infinity])).toBe(1);
    expect(extendedMedian([-Infinity, 1])).toBe(-Infinity);
    expect(extendedMedian([1, Infinity, Infinity])).toBe(Infinity);
    expect(extendedMedian([])).toBeNull();
  });

  it('extendedMedian does not overflow', () => {
    expect(extendedMedian([1.7e308, 1.7e308, 1.5e308, 1.5e308])).toBe(1.6e308);
  });

  it('extendedMedian refuses NaN', () => {
    expect(() => extendedMedian([Number.NaN])).toThrow(/NaN/);
  });
});
