import { sortSample } from '../../statistics/quantile.ts';
import { dependenceIn } from '../measures/dependence.ts';
import { type DurationStatistic, durationStatistic } from '../measures/duration-statistics.ts';
import { gatedFindings, gatedQuantiles, isWhole, type Metric } from '../metric.ts';
import { noted } from '../note.ts';

const STATISTICS: readonly DurationStatistic[] = ['p50', 'p99', 'max'];

/** started - scheduled under open load, part of latency.response. Dropped or repeated calls have none. */
export const startLag: Metric = {
  name: 'start_lag',
  meaning:
    'From the due time of a call to its start: how late this machine started it. Part of latency.response; unknown for a call that was sent again.',
  unit: 'ms',
  better: 'lower',
  whenCached: 'as_is',
  gate: {
    statistics: [
      ...gatedQuantiles(({ timings }) => timings.startLagMs, [50, 99], 'own_values'),
      ...gatedFindings('max'),
    ],
    needs: 'open_load',
  },
  measure: (subject) => {
    if (!isWhole(subject) || subject.plan.load.mode !== 'open') return [];
    const lags = subject.samples.map(({ timings }) => timings.startLagMs).filter((lag) => lag !== null);
    const sample = sortSample(lags);
    const dependence = dependenceIn(lags);
    return STATISTICS.map((statistic) => {
      const finding = durationStatistic(sample, statistic, subject.variant.timeoutMs, dependence);
      const notes = lags.length === 0 ? [noted('no_trial')] : finding.notes;
      return { statistic, n: lags.length, ...finding, notes };
    });
  },
};
