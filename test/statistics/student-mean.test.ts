import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { detectableMean, meanAboveP, meanInterval, meanP, meanUpperBound } from '../../src/statistics/mean.ts';
import { clopperPearsonUpper } from '../../src/statistics/rate-interval.ts';

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
      const interval = meanInterval(values, level, null);
      const scale = high - low;
      const found = [
        distance(interval?.low, low, scale),
        distance(interval?.high, high, scale),
        distance(meanUpperBound(values, level, null), upper, scale),
        distance(meanP(values, null), twoSided, 1),
        distance(meanAboveP(values, limit, null), above, 1),
      ];
      expect(Math.max(...found), JSON.stringify({ level, limit, values })).toBeLessThan(1e-10);
    }
  });

  it('equal values without a range: neither interval nor p', () => {
    const values = Array.from({ length: 12 }, () => 0.2);
    expect(meanInterval(values, 0.95, null)).toBeNull();
    expect(meanUpperBound(values, 0.95, null)).toBeNull();
    expect(meanP(values, null)).toBeNull();
    expect(meanAboveP(values, 0.1, null)).toBeNull();
  });

  it('equal values in a range: as far as a share of others may move them, by Clopper and Pearson of 0 of n', () => {
    const zeros = Array.from({ length: 35 }, () => 0);
    const share = clopperPearsonUpper(0, 35, 0.975);
    const interval = meanInterval(zeros, 0.95, RANGE);
    expect(interval?.low).toBeCloseTo(-share, 12);
    expect(interval?.high).toBeCloseTo(share, 12);
    expect(meanP(zeros, RANGE)).toBe(1);
    // The p of a limit is 1 - the level whose lower bound reaches it.
    const halves = Array.from({ length: 12 }, () => 0.5);
    const p = meanAboveP(halves, 0.1, RANGE) ?? Number.NaN;
    expect(0.5 - clopperPearsonUpper(0, 12, 1 - p) * 1.5).toBeCloseTo(0.1, 12);
    expect(meanAboveP(halves, 0.5, RANGE)).toBe(1);
  });

  it('five values have no interval, six have one', () => {
    expect(meanInterval([1, 2, 3, 4, 5], 0.95, null)).toBeNull();
    expect(meanP([1, 2, 3, 4, 5], null)).toBeNull();
    expect(meanInterval([1, 2, 3, 4, 5, 6], 0.95, null)).not.toBeNull();
  });

  it('a p at most 5 % goes with a bound on its side of the limit, whatever the values', () => {
    const value = fc.integer({ min: -8, max: 8 }).map((eighths) => eighths / 8);
    fc.assert(
      fc.property(fc.array(value, { minLength: 6, maxLength: 40 }), value, (values, limit) => {
        const negated = values.map((each) => -each);
        const p = meanAboveP(values, limit, RANGE) ?? Number.NaN;
        const lower = -(meanUpperBound(negated, 0.95, RANGE) ?? Number.NaN);
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
        if (Math.abs(p - 0.05) > 1e-9) expect(p < 0.05).toBe(lower > limit);
        const interval = meanInterval(values, 0.95, RANGE);
        const two = meanP(values, RANGE) ?? Number.NaN;
        if (Math.abs(two - 0.05) > 1e-9 && interval !== null) {
          expect(two < 0.05).toBe(interval.low > 0 || interval.high < 0);
        }
        expect(meanP(negated, RANGE)).toBeCloseTo(two, 12);
      }),
    );
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
