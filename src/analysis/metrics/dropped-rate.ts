import { measureOf } from '../measure.ts';
import type { Metric } from '../metric.ts';
import { allBut } from '../outcome-sets.ts';

const COUNTED = allBut('cancelled', 'defect');

/**
 * dropped_rate = dropped / all but cancelled, defect: starts that found the ceiling of requests in flight reached.
 * A count of what the harness itself did under this load, so it has no interval. Over all prompts only.
 */
export const droppedRate: Metric = {
  name: 'dropped_rate',
  measure: (subject) => {
    if (subject.prompt !== null) return [];
    const n = subject.samples.filter(({ outcome }) => COUNTED.has(outcome)).length;
    const dropped = subject.samples.filter(({ outcome }) => outcome === 'dropped').length;
    return [
      measureOf(subject, {
        metric: 'dropped_rate',
        statistic: 'rate',
        value: n === 0 ? null : dropped / n,
        unit: '1',
        better: 'lower',
        n,
        interval: null,
        method: 'count',
        notes: n === 0 ? ['no trial to count'] : ['closed load drops nothing'],
      }),
    ];
  },
};
