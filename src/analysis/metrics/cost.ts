import { sum } from '../../statistics/mean.ts';
import { measureOf } from '../measure.ts';
import { isWhole, type Metric } from '../metric.ts';
import { counted } from '../wording.ts';

/**
 * cost.per_output: US dollars spent on the variant's trials for each output of those that are ok, failures included
 * where their cost is known. Null unless the cost of every ok trial is known. Over all prompts only.
 */
export const costPerOutput: Metric = {
  name: 'cost.per_output',
  measure: (subject) => {
    if (!isWhole(subject)) return [];
    const sent = subject.samples.filter(({ outcome }) => outcome !== 'dropped');
    const ok = sent.filter(({ outcome }) => outcome === 'ok');
    const known = sent.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
    const outputs = ok.reduce((count, { output }) => count + (output?.items ?? 0), 0);
    const priced = ok.length > 0 && ok.every(({ costUsd }) => costUsd !== null);
    const unpriced = sent.length - known.length;
    return [
      measureOf(subject, {
        metric: 'cost.per_output',
        statistic: 'mean',
        value: priced ? sum(known) / outputs : null,
        unit: 'usd',
        better: 'lower',
        n: outputs,
        interval: null,
        method: 'spend / ok outputs',
        notes: priced ? leftOut(unpriced) : [ok.length === 0 ? 'no ok trial' : 'no price known'],
      }),
    ];
  },
};

function leftOut(unpriced: number): string[] {
  return unpriced === 0 ? [] : [`${counted(unpriced, 'failed trial')} of unknown cost left out`];
}
