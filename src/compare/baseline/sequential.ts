import { headlineLatency } from '../../analysis/samples/headline.ts';
import { cellOf } from '../../plan/cell.ts';
import type { BaselineCell } from '../../record/model/baseline.ts';
import { extendedMedian } from '../../statistics/samples/extended-median.ts';
import type { Load } from '../../suite/format/suite.ts';

/**
 * A variant's latency in two runs, one after the other. What changed between them, at the service or on the machine, is all in the
 * ratio: it has no interval, and no rule decides on it.
 */
export interface SequentialRatio {
  readonly variant: string;
  readonly metric: string;
  /** The later run / the earlier one: the median over the cells that both have; null without a common cell. */
  readonly ratio: number | null;
  readonly cells: number;
  /** Cells in which the variant was faster in the later run. */
  readonly faster: number;
}

/** The headline latency of every variant that both runs have, in the order of the earlier run. */
export function sequentialRatios(
  earlier: readonly BaselineCell[],
  later: readonly BaselineCell[],
  load: Pick<Load, 'mode'>,
): readonly SequentialRatio[] {
  const metric = headlineLatency(load);
  const now = new Map(later.map((cell) => [cellOf(cell), cell]));
  const known = new Set(later.map(({ variant }) => variant));
  const variants = [...new Set(earlier.map(({ variant }) => variant))].filter((variant) => known.has(variant));
  return variants.map((variant): SequentialRatio => {
    const differences = earlier.flatMap((cell) => {
      if (cell.variant !== variant) return [];
      const before = cell.values[metric];
      const after = now.get(cellOf(cell))?.values[metric];
      return before === undefined || after === undefined || before <= 0 || after <= 0 ? [] : [Math.log(after / before)];
    });
    const middle = extendedMedian(differences);
    return {
      variant,
      metric,
      ratio: middle === null ? null : Math.exp(middle),
      cells: differences.length,
      faster: differences.filter((difference) => difference < 0).length,
    };
  });
}
