import { middleOf } from '../samples/extended-median.ts';
import { walshAverages } from './walsh-averages.ts';

/**
 * The estimate of the signed rank test (Hodges and Lehmann, Annals of Mathematical Statistics 34, 1963, 598-611): the
 * median of the Walsh averages, in the unit of the values; may be infinite. Null without values, and between
 * `-Infinity` and `Infinity`. Throws on NaN.
 */
export function hodgesLehmann(values: readonly number[]): number | null {
  const { count, atRank } = walshAverages(values);
  if (count === 0) return null;
  const lower = atRank(Math.ceil(count / 2));
  return middleOf(lower, count % 2 === 1 ? lower : atRank(count / 2 + 1));
}
