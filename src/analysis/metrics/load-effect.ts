import { measureOf } from '../measure.ts';
import { isWhole, type Metric } from '../metric.ts';
import { reasonNotes, rounded } from '../probe-notes.ts';

/**
 * load.effect: the share of cells whose two takes alone agree while the concurrent one is another picture, with its
 * one-sided bound; the code at the head of `note`: `batch_dependent`, `no_sign` (exact McNemar, one-sided, or no cell that
 * disagrees), `too_few_discordant` where too few cells disagree for a test, or `not_testable`.
 */
export const loadEffect: Metric = {
  name: 'load.effect',
  measure: (subject) => {
    const load = isWhole(subject) ? (subject.probes?.load ?? null) : null;
    if (load === null) return [];
    const { code, cells, changedConcurrent, changedAlone, p, bound, reason } = load;
    return [
      measureOf(subject, {
        metric: 'load.effect',
        statistic: 'share',
        value: cells === 0 ? null : changedConcurrent / cells,
        unit: '1',
        better: null,
        n: cells,
        interval: bound === null ? null : { low: 0, high: bound },
        method: 'clopper_pearson_upper',
        notes: [
          code,
          ...(cells === 0 ? [] : [`changed_concurrent=${changedConcurrent}`, `changed_alone=${changedAlone}`]),
          ...(p === null ? [] : [`p=${rounded(p)}`]),
          ...reasonNotes(reason),
        ],
      }),
    ];
  },
};
