import { goodStatistic, isSlow } from '../headline.ts';
import { throughputFindings } from '../measures/throughput-findings.ts';
import { gatedFindings, type Metric } from '../metric.ts';

/**
 * goodput: throughput of the assets that were delivered within a limit, which a gate's rule names in `over`; statistics
 * for each,
 * `rate_within_10000ms`, and where slices are too short `rate_within_10000ms_low` and `_high`.
 *
 * @param limitsMs the limits, ascending and distinct; none gives no measure
 */
export function goodput(limitsMs: readonly number[]): Metric {
  return {
    name: 'goodput',
    meaning: 'Throughput of the assets that were delivered within the limit of a rule.',
    unit: '1/s',
    better: 'higher',
    whenCached: 'with_repeats',
    gate: {
      statistics: gatedFindings(...limitsMs.map(goodStatistic)),
      over: { statistic: 'rate', at: goodStatistic },
      madeOf: 'completions',
    },
    measure: (subject) =>
      limitsMs.flatMap((limitMs) =>
        throughputFindings(subject, (take) => take.outcome === 'ok' && !isSlow(take, limitMs)).map((finding) => ({
          ...finding,
          statistic: finding.statistic.replace(/^rate/, goodStatistic(limitMs)),
        })),
      ),
  };
}
