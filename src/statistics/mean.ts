import { studentQuantile, studentUpperTail } from './distributions.ts';
import type { PairTest } from './pair-test.ts';

/**
 * Null without values, `Infinity` if a value is. Compensated (Neumaier 1974): its error does not grow with their
 * number.
 */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return sum(values) / values.length;
}

/** Compensated (Neumaier 1974); `Infinity` if a value is. */
export function sum(values: readonly number[]): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    // Compensating an infinite total would give Infinity - Infinity.
    if (!Number.isFinite(next)) return next;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

/** With n - 1 in the denominator, in the unit of the values; null below 2. */
export function standardDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const centre = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - centre) * (value - centre))) / (values.length - 1));
}

/*
 * The mean of independent values by Student's t (Student, Biometrika 6, 1908, 1-25). Where all values are equal t says
 * nothing. Then the share of values that are something else is bounded by Clopper and Pearson's interval for 0 of n
 * (Biometrika 26, 1934, 404-413), and each of these is taken to be as far away as it can be.
 */

/** Fewer values have no interval and no p: too few to see how they are distributed. */
export const FEWEST_FOR_MEAN = 6;

/** The least and the largest that a value can be; null where nothing bounds it. */
export type ValueLimits = { readonly low: number; readonly high: number } | null;

/** Null for fewer than 6 values, and for equal values without limits. */
export function meanTest(values: readonly number[], limits: ValueLimits): PairTest {
  const turned = values.map((value) => -value);
  const turnedLimits = limits === null ? null : { low: -limits.high, high: -limits.low };
  return {
    method: 'student',
    n: values.length,
    estimate: mean(values),
    greater: (change) => pAbove(values, change, limits),
    less: (change) => pAbove(turned, -change, turnedLimits),
    lower: (level) => boundAt(values, level, limits, -1),
    upper: (level) => boundAt(values, level, limits, 1),
  };
}

/** Of values like these or above them if their true mean is `limit` or less. */
function pAbove(values: readonly number[], limit: number, limits: ValueLimits): number | null {
  const centre = mean(values);
  const spread = standardDeviation(values);
  if (values.length < FEWEST_FOR_MEAN || centre === null || spread === null) return null;
  if (!areEqual(values))
    return studentUpperTail(((centre - limit) * Math.sqrt(values.length)) / spread, values.length - 1);
  if (limits === null) return null;
  if (centre <= limit) return 1;
  if (limit < limits.low) return 0;
  // The p at which the one-sided lower bound of the equal values reaches the limit.
  return Math.exp(values.length * Math.log1p(-(centre - limit) / (centre - limits.low)));
}

/**
 * The smallest mean that a one-sided t test at `alpha` of n normal values finds with probability `power`, in standard
 * deviations of a value: (t(1 - alpha) + t(power)) / sqrt(n) at n - 1 degrees of freedom, the usual approximation to
 * the noncentral t (Chow, Shao, Wang and Lokhnygina, Sample Size Calculations in Clinical Research, 3rd ed., 3.1).
 */
export function detectableMean(n: number, alpha: number, power: number): number | null {
  if (n < FEWEST_FOR_MEAN || alpha <= 0) return null;
  return (studentQuantile(1 - alpha, n - 1) + studentQuantile(power, n - 1)) / Math.sqrt(n);
}

function boundAt(values: readonly number[], level: number, limits: ValueLimits, side: 1 | -1): number | null {
  const centre = mean(values);
  const spread = standardDeviation(values);
  if (values.length < FEWEST_FOR_MEAN || centre === null || spread === null) return null;
  if (!areEqual(values)) {
    return centre + (side * studentQuantile(level, values.length - 1) * spread) / Math.sqrt(values.length);
  }
  if (limits === null) return null;
  const others = 0 - Math.expm1(Math.log1p(-level) / values.length);
  return centre + others * ((side === 1 ? limits.high : limits.low) - centre);
}

function areEqual(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}
