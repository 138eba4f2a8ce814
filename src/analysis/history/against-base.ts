import { predictionMargin } from '../../statistics/prediction-margin.ts';
import { FEWEST_RUNS, MOST_RUNS } from '../earlier-runs.ts';
import type { HistorySeries } from '../series.ts';

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
export function againstBase(series: BasedSeries, from: string | null): AgainstBase | null {
  return runAgainstBase(series, series.points.length - 1, from);
}

type BasedSeries = Pick<HistorySeries, 'points' | 'scale'>;

function runAgainstBase({ points, scale }: BasedSeries, at: number, from: string | null): AgainstBase | null {
  const run = points[at];
  const end = Math.max(0, at - RUNS_BETWEEN);
  const base = points
    .slice(Math.max(0, end - MOST_RUNS), end)
    .filter(({ startedAt }) => from === null || startedAt >= from);
  if (run === undefined || base.length < FEWEST_RUNS) return null;
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
    change: isRate ? run.value - mean : run.value / Math.exp(mean),
    usual: isRate ? null : { low: Math.exp(-margin), high: Math.exp(margin) },
  };
}

/** Where the value of a run lies in 98 of 100 cases if the service does not change, by the base before that run. */
export interface UsualRange {
  readonly low: number;
  readonly high: number;
}

/** In the unit of the points. Null of rates, and where the base is too short. */
export function usualRange(series: BasedSeries, at: number, from: string | null): UsualRange | null {
  const { base = 0, usual = null } = runAgainstBase(series, at, from) ?? {};
  return usual === null ? null : { low: base * usual.low, high: base * usual.high };
}
