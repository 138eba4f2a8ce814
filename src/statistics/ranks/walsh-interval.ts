import { firstWhere } from '../samples/first-where.ts';
import { midRanks } from '../samples/mid-ranks.ts';
import { exactRankSum, MOST_EXACT, normalTails, smallestSignedRankP, tieCorrection } from './signed-rank-null.ts';
import { average, type WalshAverages, walshAverages } from './walsh-averages.ts';

/** Both ends belong to it; an infinite end is open. */
export interface WalshInterval {
  readonly low: number;
  readonly high: number;
  readonly method: 'exact' | 'normal';
}

/**
 * The interval of the signed rank test and the Hodges-Lehmann estimate (Tukey 1949; Hollander and Wolfe, Nonparametric
 * Statistical Methods, 2nd ed., section 3.3): the shifts that `signedRank` does not reject, either way, at (1 - level)
 * / 2. Both ends are Walsh averages. Shifts at which a difference becomes 0 or two become alike count as those beside
 * them.
 *
 * Without ties this is the pair of order statistics of textbooks. With ties the test is conditional on them, and the
 * ranks change with the shift; still the shifts not rejected are an interval: the signed rank of a difference x is half
 * the sum of sgn(x - y) + sgn(x + y) over all differences y, plus sgn(x) / 2, and falls as the shift rises; so does the
 * sum of the signed ranks over any set of differences, and the p of `greater` is the share of sets whose sum is at most
 * 0.
 *
 * Enough infinite differences make an end infinite. Null below `fewestForSignedRank((1 - level) / 2)` differences.
 * Throws on NaN and unless 0 < level < 1.
 */
export function walshInterval(values: readonly number[], level: number): WalshInterval | null {
  checkLevel(level);
  const tail = (1 - level) / 2;
  const low = lowEnd(values, tail);
  const high = lowEnd(values.map(negated), tail);
  if (low === null || high === null) return null;
  return { low, high: negated(high), method: values.length <= MOST_EXACT ? 'exact' : 'normal' };
}

/** The largest shift that `signedRank` does not reject as `less` at 1 - level; one-sided. Else as `walshInterval`. */
export function walshUpperBound(values: readonly number[], level: number): number | null {
  checkLevel(level);
  const low = lowEnd(values.map(negated), 1 - level);
  return low === null ? null : negated(low);
}

function lowEnd(values: readonly number[], alpha: number): number | null {
  const walsh = walshAverages(values);
  if (smallestSignedRankP(values.length) > alpha) return null;
  const tailAbove = values.length <= MOST_EXACT ? exactTailAbove(values, walsh) : normalTailAbove(values, walsh);
  // p rises with the shift: halving finds the first rank with p above alpha.
  const first = firstWhere(0, walsh.belowInfinity, (rank) => tailAbove(rank) > alpha);
  return first === 0 ? -Infinity : walsh.atRank(first) + 0;
}

/** The p of `greater` for shifts just above the Walsh average of a rank; 0: below all of them. */
type TailAbove = (rank: number) => number;

function exactTailAbove(values: readonly number[], walsh: WalshAverages): TailAbove {
  // Without ties all shifts have the same ranks; with ties there are few sets of ranks.
  const counted = new Map<string, ReturnType<typeof exactRankSum>>();
  return (rank) => {
    const shift = rank === 0 ? -Infinity : walsh.atRank(rank);
    const signed = values.map((value) => doubledSignedRank(value, values, shift));
    const positive = signed.reduce((total, rankOf) => total + Math.max(0, rankOf), 0);
    const ranks = signed.map(Math.abs).sort((a, b) => a - b);
    const tails = counted.get(ranks.join()) ?? exactRankSum(ranks);
    counted.set(ranks.join(), tails);
    return tails(positive).atLeast;
  };
}

/**
 * Twice the signed rank of the distance of `value` from a shift just above `shift`. Compares averages, which are exact
 * where distances would be rounded.
 */
function doubledSignedRank(value: number, values: readonly number[], shift: number): number {
  let doubled = value > shift ? 1 : -1;
  for (const other of values) {
    const middle = average(value, other);
    // NaN: infinite in opposite directions, as far from every shift.
    doubled += (value > other ? 1 : value < other ? -1 : 0) + (Number.isNaN(middle) ? 0 : middle > shift ? 1 : -1);
  }
  return doubled;
}

function normalTailAbove(values: readonly number[], walsh: WalshAverages): TailAbove {
  // Just beside a Walsh average only equal values are tied, and infinite ones with each other.
  const infinite = values.filter((value) => !Number.isFinite(value)).length;
  const { ties } = midRanks(values.filter(Number.isFinite));
  const correction = tieCorrection([...ties, infinite]);
  // The rank sum counts the averages above the shift, and half of those left out.
  return (rank) => normalTails(values.length, walsh.count - rank + walsh.leftOut / 2, correction).atLeast;
}

function negated(value: number): number {
  return 0 - value;
}

function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`a confidence level lies between 0 and 1, not ${level}`);
}
