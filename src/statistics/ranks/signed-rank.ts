import { midRanks } from '../samples/mid-ranks.ts';
import { middleOf } from '../samples/quantile.ts';
import { rankSumTails } from './signed-rank-null.ts';
import { walshAverages } from './walsh-averages.ts';

export type Alternative = 'greater' | 'less' | 'two-sided';

export interface SignedRank {
  /** Differences other than 0. */
  readonly n: number;
  /** The sum of the ranks of those above 0. */
  readonly rankSum: number;
  readonly p: number;
  readonly method: 'exact' | 'normal';
}

/**
 * Wilcoxon's signed rank test of paired differences (Biometrics Bulletin 1, 1945, 80-83) about `shift`: differences
 * equal to it are dropped, ties have the mean of their ranks. Up to 50 differences p is exact, conditional on ties;
 * beyond, normal with corrections for continuity and ties (`rankSumTails`). Infinite differences share the highest
 * rank. Without differences p is 1. Throws on NaN and an infinite shift.
 * @param shift in the unit of the differences
 */
export function signedRank(differences: readonly number[], alternative: Alternative, shift = 0): SignedRank {
  if (differences.some(Number.isNaN)) throw new RangeError('a difference is NaN');
  if (!Number.isFinite(shift)) throw new RangeError(`no shift by ${shift}`);
  const shifted = differences.map((difference) => difference - shift).filter((difference) => difference !== 0);
  const ranks = midRanks(shifted.map(Math.abs));
  const doubledSum = shifted.reduce(
    (total, difference, at) => total + (difference > 0 ? (ranks.doubled[at] ?? 0) : 0),
    0,
  );
  const { atLeast, atMost, method } = rankSumTails(ranks, doubledSum);
  const p =
    alternative === 'greater' ? atLeast : alternative === 'less' ? atMost : Math.min(1, 2 * Math.min(atLeast, atMost));
  return { n: shifted.length, rankSum: doubledSum / 2, p, method };
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
