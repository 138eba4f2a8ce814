import { median } from './quantile.ts';
import { sortSample } from './sorted-sample.ts';

/**
 * The estimate that belongs to the signed rank test (Hodges and Lehmann, Annals of Mathematical Statistics 34, 1963,
 * 598-611): the median of the means of all pairs of values, each paired with itself too. Null of none.
 */
export function hodgesLehmann(values: readonly number[]): number | null {
  const means = values.flatMap((value, at) => values.slice(at).map((other) => value + (other - value) / 2));
  return median(sortSample(means));
}
