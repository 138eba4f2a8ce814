import { goodStatistic, isSlow } from '../headline.ts';
import { throughputFindings } from '../measures/throughput-findings.ts';
import { gatedFindings, type Metric } from '../metric.ts';

/** Throughput of outputs within a limit of the gate. `limitsMs`: ascending and distinct; none gives no measure. */
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
