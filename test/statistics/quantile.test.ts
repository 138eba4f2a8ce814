import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { detectableMean, mean, meanTest, sum } from '../../src/statistics/mean.ts';
import { intervalOf, twoSidedP } from '../../src/statistics/pair-test.ts';
import { predictionMargin } from '../../src/statistics/prediction-margin.ts';
import {
  fewestForQuantile,
  median,
  quantile,
  quantileBounds,
  quantilePosition,
  sortSample,
} from '../../src/statistics/quantile.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { clopperPearsonUpper } from '../../src/statistics/rate-interval.ts';

/** Milliseconds as a clock of microseconds gives them. */
const durations = fc.nat({ max: 900_000_000 }).map((microseconds) => microseconds / 1000);
const values = fc.array(durations, { minLength: 1, maxLength: 120 });

describe('quantile', () => {
  it('quantile is the sample median at 50 percent, from one value on', () => {
    expect(median(sortSample([]))).toBeNull();
    expect(median(sortSample([4]))).toBe(4);
    expect(median(sortSample([9, 1]))).toBe(5);
    expect(median(sortSample([9, 1, 2]))).toBe(2);
    expect(median(sortSample([9, 1, 2, 4]))).toBe(3);
  });

  it('quantile is not given where it would be the maximum', () => {
    expect([50, 90, 95, 99].map(fewestForQuantile)).toEqual([1, 7, 14, 67]);
    for (const percent of [90, 95, 99]) {
      const fewest = fewestForQuantile(percent);
      expect(quantilePosition(fewest - 1, percent)).toEqual({ rank: fewest - 1, fraction: 0 });
      expect(quantilePosition(fewest, percent).rank).toBe(fewest - 1);
      expect(quantile(sortSample(Array(fewest - 1).fill(1)), percent)).toBeNull();
      expect(quantile(sortSample(Array(fewest).fill(1)), percent)).toBe(1);
    }
  });

  it('quantile interpolates at (n + 1/3) p + 1/3', () => {
    // n = 20, p95: 20.333 x 0.95 + 0.333 = 19.65.
    const sample = sortSample(Array.from({ length: 20 }, (_, i) => (i + 1) * 10));
    expect(quantile(sample, 95)).toBeCloseTo(196.5, 10);
  });

  it('quantile is infinite exactly when it reaches a censored value', () => {
    // p95 of 20 lies between ranks 19 and 20; p50 between 10 and 11.
    const numbers = Array.from({ length: 19 }, (_, i) => i + 1);
    expect(quantile(sortSample([...numbers, Infinity]), 95)).toBe(Infinity);
    expect(quantile(sortSample([...numbers, Infinity]), 90)).toBeCloseTo(18.633333, 5);
    expect(quantile(sortSample([...numbers.slice(0, 9), ...Array(11).fill(Infinity)]), 50)).toBe(Infinity);
    expect(quantile(sortSample([...numbers.slice(0, 11), ...Array(9).fill(Infinity)]), 50)).toBe(10.5);
  });

  it('quantile rises with the percentage, lies within the values, and follows a change of unit', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 98 }), (sample, percent) => {
        const lower = quantile(sortSample(sample), percent);
        const upper = quantile(sortSample(sample), percent + 1);
        if (lower === null) return;
        expect(lower).toBeGreaterThanOrEqual(Math.min(...sample));
        expect(lower).toBeLessThanOrEqual(Math.max(...sample));
        if (upper !== null) expect(upper).toBeGreaterThanOrEqual(lower * (1 - 1e-12));
        expect(quantile(sortSample(sample.map((value) => value * 1024)), percent)).toBe(lower * 1024);
      }),
    );
  });

  it('quantile does not look at the order of the values', () => {
    fc.assert(
      fc.property(values, (sample) => {
        expect(quantile(sortSample([...sample].reverse()), 90)).toBe(quantile(sortSample(sample), 90));
      }),
    );
  });

  it('quantile refuses what is not a sample or a percentage', () => {
    expect(() => sortSample([1, Number.NaN])).toThrow(RangeError);
    expect(() => sortSample([-Infinity, 1])).toThrow(RangeError);
    expect(() => quantile(sortSample([1]), 99.9)).toThrow(RangeError);
    expect(() => quantilePosition(0, 50)).toThrow(RangeError);
  });
});

describe('quantileBounds', () => {
  it('quantileBounds of dependent values loses no rank to a division: rank 6 of 11 is rank 8 of 15', () => {
    // 15 / 11 * 5.5 + 0.5 is 7.999... in doubles.
    const values = Array.from({ length: 15 }, (_, at) => at + 1);
    expect(quantileBounds(sortSample(values), 90, 0.999, 11).low).toBe(8);
  });
});

describe('mean', () => {
  it('mean loses nothing where plain summation does', () => {
    expect(sum([1e16, 1, -1e16])).toBe(1);
    expect(mean(Array(10).fill(0.1))).toBe(0.1);
    expect(mean([])).toBeNull();
  });

  it('mean is infinite with a censored value', () => {
    expect(mean([1, Infinity, 2])).toBe(Infinity);
    expect(mean([Infinity, Infinity])).toBe(Infinity);
  });

  it('mean agrees with exact sums of whole numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1 }), (values) => {
        const exact = Number(values.reduce((total, value) => total + BigInt(value), 0n));
        expect(sum(values)).toBe(exact);
      }),
    );
  });
});

const number = z.number();
const vectors = z
  .array(z.tuple([number, number, number, number, number, number, number, z.array(number)]))
  .parse(JSON.parse(readFileSync(new URL('../golden/student-mean.json', import.meta.url), 'utf8')));

/** The largest relative distance of both from what is expected. */
function distance(actual: number | null | undefined, expected: number, scale = Math.abs(expected)): number {
  return Math.abs((actual ?? Number.NaN) - expected) / scale;
}

const RANGE = { low: -1, high: 1 };

describe("the mean by Student's t", () => {
  it("the mean by Student's t: interval, bound and both p are those of R's t.test to 1e-10", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(1000);
    for (const [level, limit, twoSided, above, low, high, upper, values] of vectors) {
      const interval = intervalOf(meanTest(values, null), level);
      const scale = high - low;
      const found = [
        distance(interval?.low, low, scale),
        distance(interval?.high, high, scale),
        distance(meanTest(values, null).upper(level), upper, scale),
        distance(twoSidedP(meanTest(values, null)), twoSided, 1),
        distance(meanTest(values, null).greater(limit), above, 1),
      ];
      expect(Math.max(...found), JSON.stringify({ level, limit, values })).toBeLessThan(1e-10);
    }
  });

  it('equal values without a range: neither interval nor p', () => {
    const values = Array.from({ length: 12 }, () => 0.2);
    expect(intervalOf(meanTest(values, null), 0.95)).toBeNull();
    expect(meanTest(values, null).upper(0.95)).toBeNull();
    expect(twoSidedP(meanTest(values, null))).toBeNull();
    expect(meanTest(values, null).greater(0.1)).toBeNull();
  });

  it('equal values in a range: as far as a share of others may move them, by Clopper and Pearson of 0 of n', () => {
    const zeros = Array.from({ length: 35 }, () => 0);
    const share = clopperPearsonUpper(0, 35, 0.975);
    const interval = intervalOf(meanTest(zeros, RANGE), 0.95);
    expect(interval?.low).toBeCloseTo(-share, 12);
    expect(interval?.high).toBeCloseTo(share, 12);
    expect(twoSidedP(meanTest(zeros, RANGE))).toBe(1);
    // The p of a limit is 1 - the level whose lower bound reaches it.
    const halves = Array.from({ length: 12 }, () => 0.5);
    const p = meanTest(halves, RANGE).greater(0.1) ?? Number.NaN;
    expect(0.5 - clopperPearsonUpper(0, 12, 1 - p) * 1.5).toBeCloseTo(0.1, 12);
    expect(meanTest(halves, RANGE).greater(0.5)).toBe(1);
  });

  it('five values have no interval, six have one', () => {
    expect(intervalOf(meanTest([1, 2, 3, 4, 5], null), 0.95)).toBeNull();
    expect(twoSidedP(meanTest([1, 2, 3, 4, 5], null))).toBeNull();
    expect(intervalOf(meanTest([1, 2, 3, 4, 5, 6], null), 0.95)).not.toBeNull();
  });

  it('the detectable mean is within 4 % of the power that R’s power.t.test gives it', () => {
    // power.t.test(n = N, delta = D, sd = 1, sig.level = A, type = "one.sample", alternative = "one.sided")
    for (const [n, alpha, delta] of [
      [12, 0.05, 0.7664066],
      [35, 0.05, 0.4289277],
      [60, 0.01, 0.4186394],
      [6, 0.05, 1.185791],
    ] as const) {
      expect(Math.abs((detectableMean(n, alpha, 0.8) ?? 0) / delta - 1)).toBeLessThan(0.04);
    }
    expect(detectableMean(5, 0.05, 0.8)).toBeNull();
  });
});

describe('predictionMargin', () => {
  it('predictionMargin is exceeded by one next value in a hundred', () => {
    const random = createRandom(8);
    // The sum of twelve uniform numbers is all but normal.
    const value = () => Array.from({ length: 12 }, random.uniform).reduce((total, each) => total + each, 0);
    let above = 0;
    for (let round = 0; round < 5_000; round += 1) {
      const found = predictionMargin(Array.from({ length: 8 }, value), 0.99);
      if (found !== null && value() > found.mean + found.margin) above += 1;
    }
    // 50 and four standard deviations of their number.
    expect(Math.abs(above - 50)).toBeLessThan(29);
  });

  it('predictionMargin is 0 of a series that never varies, and null for one value', () => {
    expect(predictionMargin([2, 2, 2], 0.99)).toEqual({ mean: 2, deviation: 0, margin: 0 });
    expect(predictionMargin([2], 0.99)).toBeNull();
    expect(predictionMargin([], 0.99)).toBeNull();
  });
});
