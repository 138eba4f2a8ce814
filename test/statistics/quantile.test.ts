import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fewestForQuantile,
  median,
  quantile,
  quantileBounds,
  quantilePosition,
  sortSample,
} from '../../src/statistics/quantile.ts';

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
