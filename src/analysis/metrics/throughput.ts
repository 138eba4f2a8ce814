import { measureOf } from '../measure.ts';
import { type Metric, mixesSteps } from '../metric.ts';
import { ownTimeMs } from '../span.ts';

/**
 * throughput: ok outputs per second of the variant's own slices, each from its first start (under open load: from when
 * the first call was due) to its last end. Null when variants were mixed: then no time is a variant's own. Over all
 * prompts only, of a sweep at each step; one number, no interval.
 */
export const throughput: Metric = {
  name: 'throughput',
  measure: (subject) => {
    if (subject.prompt !== null || mixesSteps(subject)) return [];
    const ok = subject.samples.filter(({ outcome }) => outcome === 'ok').length;
    const mixed = subject.plan.load.order === 'mixed';
    const timeMs = ownTimeMs(subject.samples.map(({ sample }) => sample));
    const measurable = !mixed && timeMs > 0;
    return [
      measureOf(subject, {
        metric: 'throughput',
        statistic: 'rate',
        value: measurable ? (1000 * ok) / timeMs : null,
        unit: '1/s',
        better: 'higher',
        n: ok,
        interval: null,
        method: 'ok outputs / seconds of own slices',
        notes: measurable ? [] : [mixed ? 'order mixed: no time of its own' : 'no trial to count'],
      }),
    ];
  },
};
