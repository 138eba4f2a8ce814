import { sortSample } from '../../statistics/quantile.ts';
import { dependenceIn } from '../dependence.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { durationStatistic } from '../measures/order-statistics.ts';
import { gatedFindings, gatedQuantiles, isWhole, type Metric } from '../metric.ts';
import { noted } from '../note.ts';

const read = ({ edit }: EffectiveSample) => edit?.outside ?? null;

/** A take that failed may have had one. */
const hasMask = ({ edit }: EffectiveSample) => edit === undefined || edit.outside !== undefined;

/** Edits with a mask whose outside cannot be found in them. */
const ofOtherShape = (takes: readonly EffectiveSample[]) =>
  takes.filter(({ edit }) => edit?.otherShape === true && edit.outside !== undefined).length;

const NOTHING = { value: null, interval: null, method: 'order_statistics', notes: [] } as const;

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
    ofKinds: ['image-edit'],
    ofMasks: true,
  },
  hindrance: (takes) => (takes.every((take) => read(take) === null) && ofOtherShape(takes) > 0 ? 'other_shape' : null),
  measure: (subject) => {
    const values = subject.samples.map(read).filter((value) => value !== null);
    const lost = ofOtherShape(subject.samples);
    if (!isWhole(subject) || values.length + lost === 0) return [];
    const notes = lost === 0 ? [] : [noted('other_shape_left_out', lost)];
    const [sorted, dependence] = [sortSample(values), dependenceIn(values)];
    return (['p50', 'max'] as const).map((statistic) => {
      // Nothing times out here.
      const found = values.length === 0 ? NOTHING : durationStatistic(sorted, statistic, 0, dependence);
      return { statistic, n: values.length, ...found, notes: [...notes, ...found.notes] };
    });
  },
};
