import { hodgesLehmann, signedRank } from '../../statistics/ranks/signed-rank.ts';
import { tied } from '../../statistics/ranks/tied.ts';
import { walshInterval, walshUpperBound } from '../../statistics/ranks/walsh-interval.ts';
import type { PairUnit } from '../pairs/units.ts';

/** A difference as its units have it: ln of a ratio, or in the metric's unit. */
export interface PairedEffect {
  readonly n: number;
  /** Hodges and Lehmann's; null of no unit. `Infinity` or `-Infinity` where most units are. */
  readonly estimate: number | null;
  /** Both ends of the interval of Walsh averages, each infinite where it is open; null for too few units. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Two-sided, of the signed rank test; null without units. */
  readonly p: number | null;
}

export function pairedEffect(units: readonly PairUnit[], level: number): PairedEffect {
  const differences = units.map(({ difference }) => difference);
  return {
    n: differences.length,
    estimate: hodgesLehmann(differences),
    interval: walshInterval(differences, level),
    p: differences.length === 0 ? null : signedRank(differences, 'two-sided').p,
  };
}

export interface LimitTest {
  readonly n: number;
  readonly estimate: number | null;
  /** Of the signed rank test that the difference is no larger than the limit; null of no unit. */
  readonly p: number | null;
  /** One-sided: the difference is no larger than this, `Infinity` where nothing bounds it; null for too few units. */
  readonly upperBound: number | null;
}

export function testLimit(units: readonly PairUnit[], limit: number, level: number): LimitTest {
  const differences = units.map(({ difference }) => difference);
  const shifted = differences.map((difference) => tied(difference - limit));
  return {
    n: differences.length,
    estimate: hodgesLehmann(differences),
    p: differences.length === 0 ? null : signedRank(shifted, 'greater').p,
    upperBound: walshUpperBound(differences, level),
  };
}
