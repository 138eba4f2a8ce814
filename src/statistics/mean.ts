import { studentQuantile, studentUpperTail } from './distributions.ts';

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

/**
 * Two-sided, in the unit of the values.
 *
 * @param level between 0 and 1, such as 0.95
 * @returns null for fewer than 6 values, and for equal values without limits
 */
export function meanInterval(
  values: readonly number[],
  level: number,
  limits: ValueLimits,
): { readonly low: number; readonly high: number } | null {
  const upper = (1 + level) / 2;
  const low = meanBound(values, upper, limits, -1);
  const high = meanBound(values, upper, limits, 1);
  return low === null || high === null ? null : { low, high };
}

/** One-sided: the mean is at most this, with a probability of `level`; null as the interval is. */
export function meanUpperBound(values: readonly number[], level: number, limits: ValueLimits): number | null {
  return meanBound(values, level, limits, 1);
}

/** One-sided: of values like these or above them if their true mean is `limit` or less; null as the interval is. */
export function meanAboveP(values: readonly number[], limit: number, limits: ValueLimits): number | null {
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

/** Two-sided: of a mean as far from 0 as theirs if the true one is 0; null as the interval is. */
export function meanP(values: readonly number[], limits: ValueLimits): number | null {
  const above = meanAboveP(values, 0, limits);
  const below = meanAboveP(
    values.map((value) => -value),
    0,
    limits === null ? null : { low: -limits.high, high: -limits.low },
  );
  return above === null || below === null ? null : Math.min(1, 2 * Math.min(above, below));
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

function meanBound(values: readonly number[], level: number, limits: ValueLimits, side: 1 | -1): number | null {
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
