import { predictionMargin } from '../../statistics/series/prediction-margin.ts';
import { FEWEST_RUNS, MOST_RUNS } from './decide-runs.ts';
import type { HistorySeries } from './series.ts';

/**
 * The last run of a series against its base: the last 8 to 30 runs before the last two, as in a rule against earlier
 * runs.
 */
export interface AgainstBase {
  readonly runs: number;
  /** Geometric for values. */
  readonly base: number;
  /** The last run / base of values, the last run - base of rates. */
  readonly change: number;
  /**
   * Holds 98 of 100 changes of a further run of an unchanged service, if runs are independent and ln of their values
   * normal. Null of rates, which are mostly 0.
   */
  readonly usual: { readonly low: number; readonly high: number } | null;
}

/** Runs between the base and the run in question: two in a row have to be slow to be news. */
const RUNS_BETWEEN = 1;

/** One-sided, at either end. */
const LEVEL = 0.99;

/**
 * Null where the base is too short.
 *
 * @param from runs that began earlier are not in the base; null: all may be
 */
export function againstBase(
  { points, scale }: Pick<HistorySeries, 'points' | 'scale'>,
  from: string | null,
): AgainstBase | null {
  const last = points.at(-1);
  const base = points
    .slice(0, -1 - RUNS_BETWEEN)
    .filter(({ startedAt }) => from === null || startedAt >= from)
    .slice(-MOST_RUNS);
  if (last === undefined || base.length < FEWEST_RUNS) return null;
  const isRate = scale === 'rate';
  const found = predictionMargin(
    base.map(({ value }) => (isRate ? value : Math.log(value))),
    LEVEL,
  );
  if (found === null) return null;
  const { mean, margin } = found;
  return {
    runs: base.length,
    base: isRate ? mean : Math.exp(mean),
    change: isRate ? last.value - mean : last.value / Math.exp(mean),
    usual: isRate ? null : { low: Math.exp(-margin), high: Math.exp(margin) },
  };
}
