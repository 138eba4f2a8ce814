import { clopperPearson, clopperPearsonUpper } from '../../statistics/clopper-pearson.ts';
import { sum } from '../../statistics/mean.ts';
import type { Measure } from '../analysis.ts';
import { type Mode, repeatedCells } from '../cell-outputs.ts';
import { CONFIDENCE, type Finding, measureOf } from '../measure.ts';
import type { Metric, Subject } from '../metric.ts';
import { percent } from '../wording.ts';

/**
 * determinism.byte: whether takes of a cell (variant x prompt x seed) are equal to the byte, over the cells that
 * delivered at least two.
 * - `share`: equal pairs among all pairs of takes within cells. Descriptive, no interval. Of each prompt too.
 * - `departure`: takes that are not their cell's usual output, among all takes. With none, the one-sided 95 %
 *   bound for a further take in these cells, on n = takes - cells: a cell's first take defines what is usual.
 * - `unstable`: cells with any departure, among cells; Clopper-Pearson.
 * - `distinct`: distinct outputs counted within each cell, summed; as many as cells when nothing departs.
 */
export const determinismByte: Metric = {
  name: 'determinism.byte',
  measure: (subject) => {
    if (subject.step !== null) return []; // a cell's takes at all steps are one cell
    const cells = repeatedCells(subject.samples);
    if (subject.prompt !== null) return [share(subject, cells)];
    return [share, departure, unstable, distinct].map((statistic) => statistic(subject, cells));
  },
};

type Cells = readonly (readonly Mode[])[];

function share(subject: Subject, cells: Cells): Measure {
  const pairs = sum(cells.map((modes) => pairsOf(takesOf(modes))));
  const equal = sum(cells.map((modes) => sum(modes.map(({ takes }) => pairsOf(takes)))));
  return finding(subject, cells, {
    statistic: 'share',
    value: equal / pairs,
    unit: '1',
    better: 'higher',
    n: pairs,
    interval: null,
    method: 'equal pairs of takes within cells',
    notes: [],
  });
}

function departure(subject: Subject, cells: Cells): Measure {
  const takes = sum(cells.map(takesOf));
  const departures = sum(cells.map(departuresOf));
  const shared = { statistic: 'departure', value: departures / takes, unit: '1', better: 'lower' } as const;
  if (departures > 0 || takes === 0) {
    return finding(subject, cells, {
      ...shared,
      n: takes,
      interval: null,
      method: "takes that are not their cell's usual output",
      notes: ['no CI: takes of a cell define what is usual in it'],
    });
  }
  const n = takes - cells.length;
  const bound = clopperPearsonUpper(0, n, CONFIDENCE);
  return finding(subject, cells, {
    ...shared,
    n,
    interval: { low: 0, high: bound },
    method: 'one-sided bound, n = takes - cells',
    notes: [
      `in these cells, in this run, a further take departs in at most ${percent(bound)} (one-sided 95 %, n = ${n})`,
    ],
  });
}

function unstable(subject: Subject, cells: Cells): Measure {
  const n = cells.length;
  const events = cells.filter((modes) => modes.length > 1).length;
  return finding(subject, cells, {
    statistic: 'unstable',
    value: events / n,
    unit: '1',
    better: 'lower',
    n,
    interval: n === 0 ? null : clopperPearson(events, n, CONFIDENCE),
    method: 'cells with any departure; Clopper-Pearson over cells',
    notes: [],
  });
}

function distinct(subject: Subject, cells: Cells): Measure {
  return finding(subject, cells, {
    statistic: 'distinct',
    value: sum(cells.map((modes) => modes.length)),
    unit: 'outputs',
    better: 'lower',
    n: cells.length,
    interval: null,
    method: 'distinct outputs of each cell, summed over n cells',
    notes: [],
  });
}

function finding(subject: Subject, cells: Cells, found: Omit<Finding, 'metric'>): Measure {
  const metric = 'determinism.byte';
  if (cells.length > 0) return measureOf(subject, { metric, ...found });
  return measureOf(subject, { metric, ...found, value: null, n: 0, interval: null, notes: ['no cell has two takes'] });
}

function takesOf(modes: readonly Mode[]): number {
  return sum(modes.map(({ takes }) => takes));
}

function departuresOf(modes: readonly Mode[]): number {
  return takesOf(modes) - (modes[0]?.takes ?? 0);
}

function pairsOf(takes: number): number {
  return (takes * (takes - 1)) / 2;
}
