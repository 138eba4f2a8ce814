import { middleOf } from '../samples/extended-median.ts';
import { walshAverages } from './walsh-averages.ts';

/**
 * The estimate that belongs to the signed rank test (Hodges and Lehmann, Annals of Mathematical Statistics 34, 1963,
 * 598-611): the median of the Walsh averages, in the unit of the values, infinite where it falls on one that is. Null of none, and
 * where it falls between `-Infinity` and `Infinity`. Throws on NaN.
 */
export function hodgesLehmann(values: readonly number[]): number | null {
  const { count, atRank } = walshAverages(values);
  if (count === 0) return null;
  const lower = atRank(Math.ceil(count / 2));
  return middleOf(lower, count % 2 === 1 ? lower : atRank(count / 2 + 1));
}
