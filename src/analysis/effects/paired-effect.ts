import { mean, meanAboveP, meanInterval, meanP, meanUpperBound, type ValueLimits } from '../../statistics/mean.ts';
import { tied } from '../../statistics/mid-ranks.ts';
import { hodgesLehmann, signedRank, walshInterval, walshUpperBound } from '../../statistics/signed-rank.ts';
import type { MeanCentre } from '../metric.ts';
import type { PairUnit } from '../pair-units.ts';

/** A difference as its units have it: ln of a ratio, or in the metric's unit. */
export interface PairedEffect {
  readonly n: number;
  /** Hodges and Lehmann's, or the mean; null of no unit. `Infinity` or `-Infinity` where most units are. */
  readonly estimate: number | null;
  /** Both ends, each infinite where it is open; null for too few units. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Two-sided; null without units. */
  readonly p: number | null;
  readonly method: 'walsh' | 'student';
}

/** @param centre left out: by signed ranks and Walsh averages; else by the mean and Student's t */
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
  /** That the difference is no larger than the limit; null of no unit, and of too few for a mean. */
  readonly p: number | null;
  /** One-sided: the difference is no larger than this, `Infinity` where nothing bounds it; null for too few units. */
  readonly upperBound: number | null;
}

/** @param centre as above */
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

/** Of the difference of two values that lie in a range. */
function limitsOf({ range }: MeanCentre): ValueLimits {
  return range === null ? null : { low: range[0] - range[1], high: range[1] - range[0] };
}
