import { measureOf } from '../measure.ts';
import { isWhole, type Metric } from '../metric.ts';
import { probability } from '../wording.ts';

/**
 * load.effect: the share of cells whose two takes alone agree while the one in company is another picture; the word at the
 * head of `note`: `company changes the picture`, `no sign that company matters` (exact McNemar, one-sided), `counts only`
 * where too few cells disagree for a test, or `not testable`.
 */
export const loadEffect: Metric = {
  name: 'load.effect',
  measure: (subject) => {
    const load = isWhole(subject) ? (subject.probes?.load ?? null) : null;
    if (load === null) return [];
    const { word, cells, changedByCompany, changedAlone, p, reason } = load;
    return [
      measureOf(subject, {
        metric: 'load.effect',
        statistic: 'share',
        value: cells === 0 ? null : changedByCompany / cells,
        unit: '1',
        better: null,
        n: cells,
        interval: null,
        method: 'cells that company alone changes; exact McNemar, one-sided',
        notes: [
          word,
          ...(cells === 0 ? [] : [`changed in company ${changedByCompany}, changed alone ${changedAlone}`]),
          ...(p === null ? [] : [`p = ${probability(p)}`]),
          ...(reason === '' ? [] : [reason]),
        ],
      }),
    ];
  },
};
