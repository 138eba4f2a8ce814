import { isWhole, type Metric } from '../metric.ts';
import { type Note, noted } from '../note.ts';
import type { CacheFinding } from '../probe.ts';
import { reasonNotes, rounded } from '../probe-words.ts';

/** Hodges-Lehmann over pairs with a byte-identical repeat. First note: `cached`, `no_sign` or `not_testable`. */
export const cacheEffect: Metric = {
  name: 'cache.effect',
  meaning:
    'Latency of a fresh request divided by the latency of the repeat paired with it, where the repeat is byte-identical.',
  unit: '1',
  better: null,
  whenCached: 'as_is',
  gate: { never: 'no_interval' },
  measure: (subject) => {
    const cache = isWhole(subject) ? (subject.probes?.cache ?? null) : null;
    if (cache === null) return [];
    return [
      {
        statistic: 'ratio',
        value: cache.ratio,
        n: cache.equal,
        interval: null,
        method: 'hodges_lehmann',
        notes: notesOf(cache),
      },
    ];
  },
};

function notesOf({
  code,
  pairs,
  equal,
  p,
  detectableRatio,
  saidOfRepeats,
  saidOfFresh,
  reason,
}: CacheFinding): readonly Note[] {
  return [
    noted(code),
    ...(pairs === 0 ? [] : [noted('pairs', pairs), noted('equal', equal)]),
    ...(p === null ? [] : [noted('p', rounded(p))]),
    ...(detectableRatio === null ? [] : [noted('detectable_ratio', detectableRatio)]),
    ...(saidOfRepeats + saidOfFresh === 0
      ? []
      : [noted('said_of_repeats', saidOfRepeats), noted('said_of_fresh', saidOfFresh)]),
    ...reasonNotes(reason),
  ];
}
