import { allBut } from '../effective-sample.ts';
import { RATE_SCALE } from '../measures/rate.ts';
import { gatedFindings, isWhole, type Metric, type Subject } from '../metric.ts';
import { type Note, noted } from '../note.ts';

const COUNTED = allBut('cancelled', 'defect');

/** Starts dropped at the ceiling / all but cancelled and defect. No interval: drops follow one another. */
export const droppedRate: Metric = {
  name: 'dropped_rate',
  meaning:
    'Share of starts dropped because load.concurrency was reached. Open load only; no interval, because drops come one after another.',
  ...RATE_SCALE,
  whenCached: 'as_is',
  gate: { statistics: gatedFindings('rate') },
  measure: (subject) => {
    if (!isWhole(subject)) return [];
    const n = subject.samples.filter(({ outcome }) => COUNTED.has(outcome)).length;
    const dropped = subject.samples.filter(({ outcome }) => outcome === 'dropped').length;
    const value = n === 0 ? null : dropped / n;
    return [{ statistic: 'rate', value, n, interval: null, method: 'count', notes: notesOf(n, subject) }];
  },
};

function notesOf(n: number, { plan: { load } }: Subject): Note[] {
  if (n === 0) return [noted('no_trial')];
  return load.mode === 'closed' ? [noted('closed_load')] : [noted('no_interval'), noted('ceiling', load.concurrency)];
}
