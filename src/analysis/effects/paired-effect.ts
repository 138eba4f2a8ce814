import { mean, meanAboveP, meanInterval, meanP, meanUpperBound, type ValueLimits } from '../../statistics/mean.ts';
import { tied } from '../../statistics/mid-ranks.ts';
import { hodgesLehmann, signedRank, walshInterval, walshUpperBound } from '../../statistics/signed-rank.ts';
import type { MeanCentre } from '../metric.ts';
import type { PairUnit } from '../pair-units.ts';

/** A difference in ln of a ratio, or in the metric's unit. */
export interface PairedEffect {
  readonly n: number;
  /** Hodges-Lehmann or mean; null without units, infinite if most units are. */
  readonly estimate: number | null;
  /** An open end is infinite; null for too few units. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Two-sided; null without units. */
  readonly p: number | null;
  readonly method: 'walsh' | 'student';
}

/** @param centre without it: signed ranks and Walsh averages; with it: mean and Student's t */
export function pairedEffect(units: readonly PairUnit[], level: number, centre?: MeanCentre): PairedEffect {
  const differences = units.map(({ difference }) => difference);
  const n = differences.length;
  if (centre !== undefined) {
    const limits = limitsOf(centre);
    const interval = meanInterval(differences, level, limits);
    return { n, estimate: mean(differences), interval, p: meanP(differences, limits), method: 'student' };
  }
  return {
    n,
    estimate: hodgesLehmann(differences),
    interval: walshInterval(differences, level),
    p: n === 0 ? null : signedRank(differences, 'two-sided').p,
    method: 'walsh',
  };
}

export interface LimitTest {
  readonly n: number;
  readonly estimate: number | null;
  /** Of the hypothesis that the difference is at most the limit; null for too few units. */
  readonly p: number | null;
  /** One-sided upper bound; `Infinity` if unbounded, null for too few units. */
  readonly upperBound: number | null;
}

export function testLimit(units: readonly PairUnit[], limit: number, level: number, centre?: MeanCentre): LimitTest {
  const differences = units.map(({ difference }) => difference);
  const n = differences.length;
  if (centre !== undefined) {
    const limits = limitsOf(centre);
    const upperBound = meanUpperBound(differences, level, limits);
    return { n, estimate: mean(differences), p: meanAboveP(differences, limit, limits), upperBound };
  }
  const shifted = differences.map((difference) => tied(difference - limit));
  return {
    n,
    estimate: hodgesLehmann(differences),
    p: n === 0 ? null : signedRank(shifted, 'greater').p,
    upperBound: walshUpperBound(differences, level),
  };
}

function limitsOf({ range }: MeanCentre): ValueLimits {
  return range === null ? null : { low: range[0] - range[1], high: range[1] - range[0] };
}
