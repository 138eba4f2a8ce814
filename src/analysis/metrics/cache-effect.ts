import { measureOf } from '../measure.ts';
import { isWhole, type Metric } from '../metric.ts';
import type { CacheFinding } from '../probe-finding.ts';
import { reasonNotes, rounded } from '../probe-notes.ts';

/**
 * cache.effect: how many times as long a request that was never sent took as a repeat beside it (Hodges-Lehmann over the
 * pairs whose repeat is equal to the byte); the code at the head of `note`: `cached`, `no_sign` or `not_testable`.
 */
export const cacheEffect: Metric = {
  name: 'cache.effect',
  measure: (subject) => {
    const cache = isWhole(subject) ? (subject.probes?.cache ?? null) : null;
    if (cache === null) return [];
    return [
      measureOf(subject, {
        metric: 'cache.effect',
        statistic: 'ratio',
        value: cache.ratio,
        unit: '1',
        better: null,
        n: cache.equal,
        interval: null,
        method: 'hodges_lehmann',
        notes: notesOf(cache),
      }),
    ];
  },
};

function notesOf({ code, pairs, equal, p, detectableRatio, saidOfRepeats, saidOfFresh, reason }: CacheFinding) {
  return [
    code,
    ...(pairs === 0 ? [] : [`pairs=${pairs}`, `equal=${equal}`]),
    ...(p === null ? [] : [`p=${rounded(p)}`]),
    ...(detectableRatio === null ? [] : [`detectable_ratio=${detectableRatio}`]),
    ...(saidOfRepeats + saidOfFresh === 0 ? [] : [`said_of_repeats=${saidOfRepeats}`, `said_of_fresh=${saidOfFresh}`]),
    ...reasonNotes(reason),
  ];
}
