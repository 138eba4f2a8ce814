import { measureOf } from '../measure.ts';
import { isWhole, type Metric, type Subject } from '../metric.ts';
import { noted } from '../note.ts';
import { allBut } from '../outcome-sets.ts';

const COUNTED = allBut('cancelled', 'defect');

/**
 * dropped_rate = dropped / all but cancelled, defect: starts that found the ceiling of requests in flight reached.
 * A count of what happened under this load. It has no interval: drops come one after another while a queue is full, so
 * takes are far from independent. Over all prompts only.
 */
export const droppedRate: Metric = {
  name: 'dropped_rate',
  measure: (subject) => {
    if (!isWhole(subject)) return [];
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
        notes: notesOf(n, subject),
      }),
    ];
  },
};

function notesOf(n: number, { plan: { load } }: Subject): string[] {
  if (n === 0) return [noted('no_trial')];
  return load.mode === 'closed' ? [noted('closed_load')] : [noted('no_interval'), noted('ceiling', load.concurrency)];
}
