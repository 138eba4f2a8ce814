import { sortSample } from '../../statistics/quantile.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { durationStatistic } from '../measures/order-statistics.ts';
import { gatedFindings, isWhole, type Metric } from '../metric.ts';

const read = ({ outcome, sample }: EffectiveSample) => (outcome === 'ok' ? (sample.reported.memoryMb ?? null) : null);

/** No measure if the server reports none. */
export const memory: Metric = {
  name: 'memory',
  meaning: 'The memory that the server itself reports for a take.',
  unit: 'mb',
  better: 'lower',
  whenCached: 'first_takes',
  takes: [{ statistic: 'p50', effect: 'ratio', read: (take) => read(take) || null }],
  gate: { statistics: gatedFindings('max') },
  measure: (subject) => {
    const values = sortSample(subject.samples.map(read).filter((value) => value !== null));
    if (!isWhole(subject) || values.length === 0) return [];
    return (['p50', 'max'] as const).map((statistic) => {
      // Nothing times out here.
      return { statistic, n: values.length, ...durationStatistic(values, statistic, 0, subject.dependence) };
    });
  },
};
