import { sum } from '../../statistics/mean.ts';
import type { JudgedSample } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import { measureOf } from '../measure.ts';
import type { Metric } from '../metric.ts';
import { spanMs } from '../span.ts';

/**
 * throughput: ok outputs per second of the variant's own slices, each from its first start to its last end. Null when
 * variants were mixed: then no time is a variant's own. Over all prompts only; one number, no interval.
 */
export const throughput: Metric = {
  name: 'throughput',
  measure: (subject) => {
    if (subject.prompt !== null) return [];
    const ok = subject.samples.filter(({ outcome }) => outcome === 'ok').length;
    const mixed = subject.plan.load.order === 'mixed';
    const timeMs = spentMs(subject.samples);
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

/** Clocks of different segments have different origins, so a slice that was resumed is two. */
function spentMs(samples: readonly JudgedSample[]): number {
  const slices = groupBy(
    samples.map(({ sample }) => sample),
    ({ segment, slice }) => `${segment} ${slice}`,
  );
  return sum([...slices.values()].map((members) => spanMs(members)));
}
