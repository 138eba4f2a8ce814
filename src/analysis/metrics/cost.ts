import { sum } from '../../statistics/samples/mean.ts';
import { isWhole, type Metric } from '../measures/metric.ts';
import { type Note, noted } from '../note.ts';

/**
 * cost.per_output: US dollars spent on the variant's trials for each output of those that are ok, failures included
 * where their cost is known. Null unless the cost of every ok trial is known. Over all prompts only.
 */
export const costPerOutput: Metric = {
  name: 'cost.per_output',
  meaning: 'US dollars per delivered output.',
  unit: 'usd',
  better: 'lower',
  whenCached: 'as_is',
  measure: (subject) => {
    if (!isWhole(subject)) return [];
    const sent = subject.samples.filter(({ outcome }) => outcome !== 'dropped');
    const ok = sent.filter(({ outcome }) => outcome === 'ok');
    const known = sent.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
    const outputs = ok.reduce((count, { output }) => count + (output?.items ?? 0), 0);
    const priced = ok.length > 0 && ok.every(({ costUsd }) => costUsd !== null);
    const unpriced = sent.length - known.length;
    return [
      {
        statistic: 'mean',
        value: priced ? sum(known) / outputs : null,
        n: outputs,
        interval: null,
        method: 'spend_per_output',
        notes: priced ? leftOut(unpriced) : [ok.length === 0 ? noted('no_ok_trial') : noted('no_price')],
      },
    ];
  },
};

function leftOut(unpriced: number): Note[] {
  return unpriced === 0 ? [] : [noted('unpriced_left_out', unpriced)];
}
