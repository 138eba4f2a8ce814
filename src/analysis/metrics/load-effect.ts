import { isWhole, type Metric } from '../metric.ts';
import { noted } from '../note.ts';
import { reasonNotes, rounded } from '../probe-words.ts';

/**
 * Share of cells where only the concurrent take differs, with its one-sided bound. First note: `batch_dependent`,
 * `no_sign` (exact McNemar, one-sided, or no discordant cell), `too_few_discordant` or `not_testable`.
 */
export const loadEffect: Metric = {
  name: 'load.effect',
  meaning: 'Share of prompts and seeds whose two takes sent alone agree, while the concurrent take is another image.',
  unit: '1',
  better: null,
  whenCached: 'as_is',
  gate: {
    statistics: [{ statistic: 'share', bounded: { by: 'events', among: 'cells' } }],
    needs: 'load',
    ofVariant: true,
  },
  measure: (subject) => {
    const load = isWhole(subject) ? (subject.probes?.load ?? null) : null;
    if (load === null) return [];
    const { code, cells, changedConcurrent, changedAlone, p, bound, reason } = load;
    return [
      {
        statistic: 'share',
        value: cells === 0 ? null : changedConcurrent / cells,
        n: cells,
        counted: { events: changedConcurrent, trials: cells, possible: cells },
        interval: bound === null ? null : { low: 0, high: bound },
        method: 'clopper_pearson_upper',
        notes: [
          noted(code),
          ...(cells === 0
            ? []
            : [noted('changed_concurrent', changedConcurrent), noted('changed_alone', changedAlone)]),
          ...(p === null ? [] : [noted('p', rounded(p))]),
          ...reasonNotes(reason),
        ],
      },
    ];
  },
};
