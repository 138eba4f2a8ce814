import { sortSample } from '../../statistics/quantile.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { dependenceIn } from '../measures/dependence.ts';
import { durationStatistic } from '../measures/order-statistics.ts';
import { gatedFindings, gatedQuantiles, isWhole, type Metric } from '../metric.ts';

const read = ({ edit }: EffectiveSample) => edit?.outside ?? null;

/** A take that failed may have had one. */
const hasMask = ({ edit }: EffectiveSample) => edit === undefined || edit.outside !== undefined;

/** No measure without a mask. */
export const editOutside: Metric = {
  name: 'edit.outside',
  meaning:
    'Mean absolute difference of an edit from its first input image, 8 pixels and more outside the mask, where nothing ' +
    'should change.',
  unit: 'levels',
  better: 'lower',
  whenCached: 'as_is',
  takes: [{ statistic: 'p50', effect: 'difference', read, applies: hasMask }],
  gate: {
    statistics: [...gatedQuantiles(read, [50], 'own_values'), ...gatedFindings('max')],
    ofKind: 'image-edit',
    ofMasks: true,
  },
  measure: (subject) => {
    const values = subject.samples.map(read).filter((value) => value !== null);
    if (!isWhole(subject) || values.length === 0) return [];
    const [sorted, dependence] = [sortSample(values), dependenceIn(values)];
    return (['p50', 'max'] as const).map((statistic) => {
      // Nothing times out here.
      return { statistic, n: values.length, ...durationStatistic(sorted, statistic, 0, dependence) };
    });
  },
};
