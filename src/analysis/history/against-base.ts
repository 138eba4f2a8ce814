import { predictionMargin } from '../../statistics/prediction-margin.ts';
import { FEWEST_RUNS, MOST_RUNS } from '../earlier-runs.ts';
import type { HistorySeries } from '../series.ts';

/** The last run of a series against its base: 8 to 30 runs before the last two, as in a rule. */
export interface AgainstBase {
  readonly runs: number;
  /** Geometric mean of values. */
  readonly base: number;
  /** Last run / base for values, last run - base for rates. */
  readonly change: number;
  /** Range of 98 of 100 changes of an unchanged service, if ln values are normal. Null for rates, mostly 0. */
  readonly usual: { readonly low: number; readonly high: number } | null;
}

/** Two slow runs in a row are a finding, so the run before is not in the base. */
const RUNS_BETWEEN = 1;

/** One-sided, at each end. */
const LEVEL = 0.99;

/** `from`: earlier runs are not in the base; null allows all. Null if the base is too short. */
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
  const predicted = predictionMargin(
    base.map(({ value }) => (isRate ? value : Math.log(value))),
    LEVEL,
  );
  if (predicted === null) return null;
  const { mean, margin } = predicted;
  return {
    runs: base.length,
    base: isRate ? mean : Math.exp(mean),
    change: isRate ? run.value - mean : run.value / Math.exp(mean),
    usual: isRate ? null : { low: Math.exp(-margin), high: Math.exp(margin) },
  };
}

/** The values of 98 of 100 runs if the service does not change, by the base before that run. */
export interface UsualRange {
  readonly low: number;
  readonly high: number;
}

/** In the unit of the points. Null for rates, and if the base is too short. */
export function usualRange(series: BasedSeries, at: number, from: string | null): UsualRange | null {
  const { base = 0, usual = null } = runAgainstBase(series, at, from) ?? {};
  return usual === null ? null : { low: base * usual.low, high: base * usual.high };
}
