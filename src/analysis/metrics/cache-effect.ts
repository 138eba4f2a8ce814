import { measureOf } from '../measure.ts';
import { isWhole, type Metric } from '../metric.ts';
import type { CacheFinding } from '../probe-finding.ts';
import { probability } from '../wording.ts';

/**
 * cache.effect: how many times as long a request that was never sent took as a repeat beside it (Hodges-Lehmann over the
 * pairs whose repeat is equal to the byte); the word at the head of `note`: `cached`, `no sign of a cache` or `not testable`.
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
        method: 'Hodges-Lehmann of fresh / repeat; signed rank above 1.1, one-sided',
        notes: notesOf(cache),
      }),
    ];
  },
};

function notesOf({ word, pairs, equal, p, saidOfRepeats, saidOfFresh, reason }: CacheFinding): readonly string[] {
  return [
    word,
    ...(pairs === 0 ? [] : [`${equal} of ${pairs} repeats equal to the byte`]),
    ...(p === null ? [] : [`p = ${probability(p)}`]),
    ...(saidOfRepeats + saidOfFresh === 0
      ? []
      : [`the service says so of ${saidOfRepeats} repeats, of ${saidOfFresh} first sights`]),
    ...(reason === '' ? [] : [reason]),
  ];
}
