import { cellOf } from '../plan/plan.ts';
import type { BaselineCell, BaselineMeasure } from '../record/kept-run.ts';
import type { Load } from '../suite/load.ts';
import type { Analysis } from './analysis.ts';
import { pairedEffect } from './effects/paired-effect.ts';
import { headlineLatency } from './headline.ts';
import { type ChangeOfRuns, changeOfRuns, type TwoOfHistory } from './history/between-runs.ts';
import { CONFIDENCE } from './measures/confidence.ts';
import type { PairUnit } from './pair-units.ts';
import type { Measure } from './summaries.ts';

/** A number of one run with its two-sided 95 % interval; null if missing. */
export interface NumberOfRun {
  readonly value: number | null;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  readonly n: number;
}

export function numberOfRun({ value, ciLow, ciHigh, n }: Pick<Measure, keyof NumberOfRun>): NumberOfRun {
  return { value, ciLow, ciHigh, n };
}

/** A variant's latency in two consecutive runs. No rule uses the ratio: it includes changes of service and machine. */
export interface SequentialRatio extends Pick<ChangeOfRuns, 'earlierRuns'> {
  readonly variant: string;
  readonly metric: string;
  /** Later / earlier run, over common cells: Hodges-Lehmann, or with an interval the ratio of geometric means. */
  readonly ratio: number | null;
  /** Two-sided 95 %, from differences of earlier runs; null with fewer than 8 of them. */
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  /** Whether the interval excludes 1: a difference larger than usual between runs. */
  readonly toldApart: boolean;
  /** Two-sided 95 % over cells of both runs, without shared changes, so it proves no change. Null for too few cells. */
  readonly overCells: { readonly low: number; readonly high: number } | null;
  readonly cells: number;
  /** Cells that were faster in the later run. */
  readonly faster: number;
  /** Null if a run has none, as in a sweep. */
  readonly p50Ms: SequentialNumbers | null;
}

export interface SequentialNumbers {
  readonly before: NumberOfRun;
  readonly after: NumberOfRun;
  /** Whether both runs have the same cells of the variant; else numbers and ratio are of different cells. */
  readonly sameCells: boolean;
}

interface Latencies {
  readonly cells: readonly BaselineCell[];
  /** Over all prompts. */
  readonly measures: readonly Pick<BaselineMeasure, 'variant' | 'step' | 'metric' | 'statistic' | keyof NumberOfRun>[];
}

/** The measures over all prompts, as a stored baseline keeps them. */
export function overPrompts({ measures }: Pick<Analysis, 'measures'>): readonly Measure[] {
  return measures.filter(({ prompt }) => prompt === null);
}

export function sequentialRatios(
  earlier: Latencies,
  later: Latencies,
  load: Pick<Load, 'mode'>,
  history: TwoOfHistory,
): readonly SequentialRatio[] {
  const metric = headlineLatency(load);
  const now = new Map(later.cells.map((cell) => [cellOf(cell), cell]));
  const known = new Set(later.cells.map(({ variant }) => variant));
  const variants = [...new Set(earlier.cells.map(({ variant }) => variant))].filter((variant) => known.has(variant));
  return variants.map((variant): SequentialRatio => {
    const units = earlier.cells.flatMap((cell): PairUnit[] => {
      if (cell.variant !== variant) return [];
      const before = cell.values[metric];
      const after = now.get(cellOf(cell))?.values[metric];
      return before === undefined || after === undefined || before <= 0 || after <= 0
        ? []
        : [{ key: cellOf(cell), difference: Math.log(after / before) }];
    });
    const { n, estimate, interval } = pairedEffect(units, CONFIDENCE);
    const { earlierRuns, change } = changeOfRuns(history, variant, metric);
    const [ciLow, ciHigh] =
      change === null ? [null, null] : [-1, 1].map((side) => Math.exp(change.ln + side * change.reach));
    return {
      variant,
      metric,
      ratio: change !== null ? Math.exp(change.ln) : estimate === null ? null : Math.exp(estimate),
      ciLow,
      ciHigh,
      earlierRuns,
      toldApart: (ciLow ?? 0) > 1 || (ciHigh ?? Infinity) < 1,
      overCells: interval === null ? null : { low: Math.exp(interval.low), high: Math.exp(interval.high) },
      cells: n,
      faster: units.filter(({ difference }) => difference < 0).length,
      p50Ms: mediansOf(variant, metric, earlier, later),
    };
  });
}

function mediansOf(variant: string, metric: string, earlier: Latencies, later: Latencies): SequentialNumbers | null {
  const [before, after] = [earlier, later].map(({ measures }) =>
    measures.find(
      (measure) =>
        measure.variant === variant &&
        measure.metric === metric &&
        measure.statistic === 'p50' &&
        measure.step === null,
    ),
  );
  if (before === undefined || after === undefined) return null;
  const sameCells = areSameCells(variant, earlier.cells, later.cells);
  return { before: numberOfRun(before), after: numberOfRun(after), sameCells };
}

type CellPlace = Pick<BaselineCell, 'variant' | 'prompt' | 'seed'>;

/** Whether a variant has the same prompts and seeds in two runs. */
export function areSameCells(variant: string, earlier: readonly CellPlace[], later: readonly CellPlace[]): boolean {
  const cellsOf = (all: readonly CellPlace[]) => new Set(all.filter((cell) => cell.variant === variant).map(cellOf));
  const cells = cellsOf(earlier);
  const others = cellsOf(later);
  return cells.size === others.size && [...cells].every((cell) => others.has(cell));
}
