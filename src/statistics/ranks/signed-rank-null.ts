import { normalUpperTail } from '../distributions/normal.ts';
import type { MidRanks } from '../samples/mid-ranks.ts';

/** P(rank sum >= the observed one) and P(rank sum <= the observed one). */
export interface RankSumTails {
  readonly atLeast: number;
  readonly atMost: number;
  readonly method: 'exact' | 'normal';
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
export function rankSumTails({ doubled, ties }: MidRanks, doubledSum: number): RankSumTails {
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
    method: 'normal',
  };
}

/** What ties subtract from the variance of the rank sum: sum(t^3 - t) / 48. */
export function tieCorrection(ties: readonly number[]): number {
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
    method: 'exact',
  });
}
