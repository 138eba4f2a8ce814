import { isAtLeast, type Level } from '../../media/compare/level.ts';
import { clopperPearson, clopperPearsonUpper } from '../../statistics/clopper-pearson.ts';
import { sum } from '../../statistics/mean.ts';
import type { Measure } from '../analysis.ts';
import { joinModes, type Mode, type Modes, repeatedCells } from '../cell-outputs.ts';
import { CONFIDENCE, type Finding, measureOf } from '../measure.ts';
import type { Metric, Subject } from '../metric.ts';
import { noted } from '../note.ts';
import { counted } from '../wording.ts';

/** The levels that takes are held to, strictest first; `different` is no bar. */
const HELD_LEVELS = ['byte', 'pixel', 'near', 'similar', 'related'] as const satisfies readonly Level[];

/**
 * determinism.<level>: whether takes of a cell (variant x prompt x seed) are equal at that level or better, over the cells
 * that delivered at least two.
 * - `share`: such pairs among all pairs of takes within cells. Descriptive, no interval. Of each prompt too.
 * - `departure`: takes that are not their cell's usual output, among all takes. With none, the one-sided 95 %
 *   bound for a further take in these cells, on n = takes - cells: a cell's first take defines what is usual.
 * - `unstable`: cells with any departure, among cells; Clopper-Pearson.
 * - `distinct`: of byte and pixel, distinct outputs counted within each cell, summed; as many as cells when nothing
 *   departs.
 *
 * What is usual in a cell: each take joins the first earlier one that it equals, and the largest such group is it. Takes
 * that were not compared with the others are left out and counted.
 */
export const determinism: readonly Metric[] = HELD_LEVELS.map((level) => ({
  name: `determinism.${level}`,
  measure: (subject) => {
    if (subject.step !== null) return []; // a cell's takes at all steps are one cell
    const all = repeatedCells(subject.samples).map((outputs) => cellAt(level, subject, outputs));
    const cells = all.filter(({ modes }) => takesOf(modes) >= 2);
    const held = { level, subject, cells, unknown: sum(all.map(({ unknown }) => unknown)) };
    if (subject.prompt !== null) return [share(held)];
    const told = [share(held), departure(held), unstable(held)];
    return level === 'byte' || level === 'pixel' ? [...told, distinct(held)] : told;
  },
}));

/** A cell's outputs at a level. */
interface HeldCell extends Modes {
  /** Pairs of takes that were compared, and those of them that hold the level. */
  readonly pairs: number;
  readonly equalPairs: number;
}

interface Held {
  readonly level: (typeof HELD_LEVELS)[number];
  readonly subject: Subject;
  /** Those with at least two takes that were compared. */
  readonly cells: readonly HeldCell[];
  /** Takes that were not compared with the others of their cell. */
  readonly unknown: number;
}

function cellAt(level: Level, { levelOf, samePixels }: Subject, outputs: readonly Mode[]): HeldCell {
  const equals = (a: string, b: string): boolean | null => {
    if (a === b) return true;
    if (level === 'byte') return false;
    if (level === 'pixel') return samePixels(a, b);
    const found = levelOf(a, b);
    return found === null ? null : isAtLeast(found, level);
  };
  let pairs = 0;
  let equalPairs = 0;
  for (const [at, { sha256, takes }] of outputs.entries()) {
    pairs += pairsOf(takes);
    equalPairs += pairsOf(takes);
    // To the byte distinct outputs are distinct: there may be very many.
    if (level === 'byte') continue;
    for (const other of outputs.slice(at + 1)) {
      const equal = equals(sha256, other.sha256);
      if (equal !== null) pairs += takes * other.takes;
      if (equal === true) equalPairs += takes * other.takes;
    }
  }
  if (level !== 'byte') return { ...joinModes(outputs, equals), pairs, equalPairs };
  const modes = [...outputs].sort((a, b) => b.takes - a.takes);
  return { modes, unknown: 0, pairs: pairsOf(sum(outputs.map(({ takes }) => takes))), equalPairs };
}

function share(held: Held): Measure {
  const pairs = sum(held.cells.map((cell) => cell.pairs));
  return finding(held, {
    statistic: 'share',
    value: pairs === 0 ? null : sum(held.cells.map(({ equalPairs }) => equalPairs)) / pairs,
    unit: '1',
    better: 'higher',
    n: pairs,
    interval: null,
    method: 'equal pairs of takes within cells',
    notes: [],
  });
}

function departure(held: Held): Measure {
  const cells = held.cells.map(({ modes }) => modes);
  const takes = sum(cells.map(takesOf));
  const departures = sum(cells.map(departuresOf));
  const n = takes - cells.length;
  const shared = { statistic: 'departure', value: departures / takes, unit: '1', better: 'lower' } as const;
  if (departures > 0 || n <= 0) {
    return finding(held, {
      ...shared,
      n: takes,
      interval: null,
      method: 'departures_of_takes',
      notes: [noted('no_interval')],
    });
  }
  return finding(held, {
    ...shared,
    n,
    interval: { low: 0, high: clopperPearsonUpper(0, n, CONFIDENCE) },
    method: 'clopper_pearson_upper',
    notes: [],
  });
}

function unstable(held: Held): Measure {
  const n = held.cells.length;
  const events = held.cells.filter(({ modes }) => modes.length > 1).length;
  return finding(held, {
    statistic: 'unstable',
    value: events / n,
    unit: '1',
    better: 'lower',
    n,
    interval: n === 0 ? null : clopperPearson(events, n, CONFIDENCE),
    method: 'clopper_pearson',
    notes: [],
  });
}

function distinct(held: Held): Measure {
  return finding(held, {
    statistic: 'distinct',
    value: sum(held.cells.map(({ modes }) => modes.length)),
    unit: 'outputs',
    better: 'lower',
    n: held.cells.length,
    interval: null,
    method: 'distinct outputs of each cell, summed over n cells',
    notes: [],
  });
}

function finding({ level, subject, cells, unknown }: Held, found: Omit<Finding, 'metric'>): Measure {
  const metric = `determinism.${level}`;
  if (cells.length === 0) {
    const why = unknown > 0 ? 'takes were not compared' : 'no cell has two takes';
    return measureOf(subject, { metric, ...found, value: null, n: 0, interval: null, notes: [why] });
  }
  const left = unknown === 0 ? [] : [`${counted(unknown, 'take')} not compared, left out`];
  return measureOf(subject, { metric, ...found, notes: [...found.notes, ...left] });
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
