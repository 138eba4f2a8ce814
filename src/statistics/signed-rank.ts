import { normalUpperTail } from './distributions.ts';
import { firstWhere } from './first-where.ts';
import { type MidRanks, midRanks, tied } from './mid-ranks.ts';
import type { PairTest } from './pair-test.ts';
import { middleOf } from './quantile.ts';

/**
 * One-sided p of Wilcoxon's signed rank test of paired differences (Biometrics Bulletin 1, 1945, 80-83): `atLeast`
 * that they are above 0, `atMost` that they are below. Differences of 0 are dropped, ties have the mean of their ranks.
 * Up to 50 differences p is exact, conditional on ties; beyond, normal with corrections for continuity and ties
 * (`rankSumTails`). Infinite differences share the highest rank. Without differences p is 1. Throws on NaN.
 */
function signedRankTails(differences: readonly number[]): RankSumTails {
  if (differences.some(Number.isNaN)) throw new RangeError('a difference is NaN');
  const kept = differences.filter((difference) => difference !== 0);
  const ranks = midRanks(kept.map(Math.abs));
  return rankSumTails(
    ranks,
    kept.reduce((total, difference, at) => total + (difference > 0 ? (ranks.doubled[at] ?? 0) : 0), 0),
  );
}

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

/** P(rank sum >= the observed one) and P(rank sum <= the observed one). */
export interface RankSumTails {
  readonly atLeast: number;
  readonly atMost: number;
}

/** Up to so many units the distribution is counted. */
export const MOST_EXACT = 50;

/**
 * The tails of the sum of ranks with a plus sign, if both signs are equally likely (Wilcoxon, Biometrics Bulletin 1,
 * 1945, 80-83). Up to 50 units exact, conditional on the ties: all 2^n signs of these ranks are equally likely. Beyond,
 * normal with mean n (n + 1) / 4, variance n (n + 1) (2 n + 1) / 24 - sum(t^3 - t) / 48 over groups of t ties, with a
 * continuity correction of half a rank (Hollander and Wolfe, Nonparametric Statistical Methods, 2nd ed., section 3.1;
 * Lehmann, Nonparametrics, 1975, chapter 3).
 * @param doubledSum twice the observed sum
 */
function rankSumTails({ doubled, ties }: MidRanks, doubledSum: number): RankSumTails {
  return doubled.length <= MOST_EXACT
    ? exactRankSum(doubled)(doubledSum)
    : normalTails(doubled.length, doubledSum / 2, tieCorrection(ties));
}

export function normalTails(n: number, rankSum: number, correction: number): RankSumTails {
  const spread = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24 - correction);
  const centred = rankSum - (n * (n + 1)) / 4;
  return {
    atLeast: normalUpperTail((centred - 0.5) / spread),
    atMost: normalUpperTail((-centred - 0.5) / spread),
  };
}

/** What ties subtract from the variance of the rank sum: sum(t^3 - t) / 48. */
function tieCorrection(ties: readonly number[]): number {
  return ties.reduce((total, alike) => total + (alike * alike * alike - alike), 0) / 48;
}

/**
 * The smallest one-sided p of the signed rank test of n units: 2^-n while exact, then the normal tail of all signs
 * alike. Twice that is the smallest two-sided p.
 */
export function smallestSignedRankP(n: number): number {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`units are a whole number, not ${n}`);
  if (n > MOST_EXACT) return normalTails(n, (n * (n + 1)) / 2, 0).atLeast;
  let p = 1;
  for (let unit = 0; unit < n; unit += 1) p /= 2;
  return p;
}

/**
 * The fewest units whose signed rank test can give a one-sided p of at most `alpha`: 5 for 5 %. Throws unless alpha >
 * 0.
 */
export function fewestForSignedRank(alpha: number): number {
  if (!(alpha > 0)) throw new RangeError(`no number of units gives a p of ${alpha}`);
  for (let n = 0; ; n += 1) {
    if (smallestSignedRankP(n) <= alpha) return n;
  }
}

/**
 * The exact tails of sums of these ranks: counts once how many subsets of the ranks have each sum.
 * @param doubled twice the ranks, at most 50 of them
 */
export function exactRankSum(doubled: readonly number[]): (doubledSum: number) => RankSumTails {
  const most = doubled.reduce((total, rank) => total + rank, 0);
  // At most 2^50 subsets: a double counts them exactly.
  const subsets = new Float64Array(most + 1);
  subsets[0] = 1;
  let reached = 0;
  for (const rank of doubled) {
    for (let sum = reached; sum >= 0; sum -= 1) subsets[sum + rank] = (subsets[sum + rank] ?? 0) + (subsets[sum] ?? 0);
    reached += rank;
  }
  const upTo = subsets;
  for (let sum = 1; sum <= most; sum += 1) upTo[sum] = (upTo[sum] ?? 0) + (upTo[sum - 1] ?? 0);
  const all = upTo[most] ?? 1;
  return (doubledSum) => ({
    atLeast: (all - (upTo[doubledSum - 1] ?? 0)) / all,
    atMost: (upTo[doubledSum] ?? all) / all,
  });
}

/**
 * The signed rank test with the Hodges-Lehmann estimate and the bounds that invert it (Tukey 1949; Hollander and Wolfe,
 * Nonparametric Statistical Methods, 2nd ed., section 3.3): the shifts that the test does not reject. Both are
 * Walsh averages, and belong to what is not rejected. Shifts at which a difference becomes 0 or two become alike count
 * as those beside them.
 *
 * Without ties this is the pair of order statistics of textbooks. With ties the test is conditional on them, and the
 * ranks change with the shift; still the shifts not rejected are an interval: the signed rank of a difference x is half
 * the sum of sgn(x - y) + sgn(x + y) over all differences y, plus sgn(x) / 2, and falls as the shift rises; so does the
 * sum of the signed ranks over any set of differences, and the p of `greater` is the share of sets whose sum is at most
 * 0.
 *
 * Enough infinite differences make a bound infinite. Null below `fewestForSignedRank(1 - level)` differences. Throws on
 * NaN and unless 0 < level < 1.
 */
export function signedRankTest(values: readonly number[]): PairTest {
  const turned = values.map(negated);
  const tailsAt = (change: number) => {
    if (values.length === 0) return null;
    // Subtracting rounds, and may break ties.
    return signedRankTails(change === 0 ? values : values.map((value) => tied(value - change)));
  };
  return {
    method: 'walsh',
    n: values.length,
    estimate: hodgesLehmann(values),
    greater: (change) => tailsAt(change)?.atLeast ?? null,
    less: (change) => tailsAt(change)?.atMost ?? null,
    lower: (level) => lowEnd(values, level),
    upper: (level) => {
      const low = lowEnd(turned, level);
      return low === null ? null : negated(low);
    },
  };
}

function lowEnd(values: readonly number[], level: number): number | null {
  if (!(level > 0 && level < 1)) throw new RangeError(`a confidence level lies between 0 and 1, not ${level}`);
  const alpha = 1 - level;
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

/**
 * The means of all pairs of values, each value paired with itself too, in ascending order. The mean of `Infinity` and
 * `-Infinity` is left out.
 */
export interface WalshAverages {
  /** n (n + 1) / 2 less those left out. */
  readonly count: number;
  readonly belowInfinity: number;
  readonly leftOut: number;
  /** The average of a rank, 1 to `count`. */
  readonly atRank: (rank: number) => number;
}

/**
 * The averages are not stored: of sorted values they are ascending rows, in which those up to any value are counted in
 * O(n), so that a rank is found by halving. Throws on NaN.
 */
export function walshAverages(values: readonly number[]): WalshAverages {
  const sorted = Float64Array.from(values).sort();
  if (Number.isNaN(sorted.at(-1))) throw new RangeError('a value is NaN');
  let low = 0;
  while (sorted[low] === -Infinity) low += 1;
  let end = sorted.length;
  while (end > low && sorted[end - 1] === Infinity) end -= 1;
  const finite = sorted.subarray(low, end);
  const [middle, high] = [finite.length, sorted.length - end];
  // Every average with an infinite value is infinite, and below or above all others.
  const lowAverages = low * middle + triangle(low);
  const belowInfinity = lowAverages + triangle(middle);
  const count = belowInfinity + high * middle + triangle(high);
  return {
    count,
    belowInfinity,
    leftOut: low * high,
    atRank: (rank) => {
      if (!Number.isSafeInteger(rank) || rank < 1 || rank > count) throw new RangeError(`no rank ${rank} of ${count}`);
      if (rank <= lowAverages) return -Infinity;
      if (rank > belowInfinity) return Infinity;
      return select(finite, rank - lowAverages);
    },
  };
}

/** Unlike (a + b) / 2 it does not overflow, and rises with either value whatever the rounding. */
function average(a: number, b: number): number {
  return a / 2 + b / 2;
}

function triangle(n: number): number {
  return (n * (n + 1)) / 2;
}

/**
 * The average of a rank, from 1, between two averages that close in on it: each pass counts those up to the middle of
 * both. Row i holds the averages of value i with itself and all larger ones, so its count does not rise from row to row.
 */
function select(sorted: Float64Array, rank: number): number {
  const n = sorted.length;
  const at = (row: number, column: number): number => average(sorted[row] ?? NaN, sorted[column] ?? NaN);
  let [low, high] = [at(0, 0), at(n - 1, n - 1)];
  while (low < high) {
    const middle = average(low, high);
    // Rounded, it may be the upper one.
    const pivot = middle < high ? middle : low;
    let [counted, upTo, above] = [0, low, high];
    let column = n;
    for (let row = 0; row < n; row += 1) {
      while (column > row && at(row, column - 1) > pivot) column -= 1;
      const first = Math.max(row, column);
      counted += first - row;
      if (first > row) upTo = Math.max(upTo, at(row, first - 1));
      if (first < n) above = Math.min(above, at(row, first));
    }
    if (rank <= counted) high = upTo;
    else low = above;
  }
  return low;
}
