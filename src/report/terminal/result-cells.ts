import type { VariantSummary } from '../../analysis/summaries.ts';
import { sweepSteps } from '../../suite/sweep.ts';
import type { ReportSource } from '../reporter.ts';
import { type ResultCell, type ResultColumn, resultColumns, throughputColumn } from '../result-columns.ts';

import { areEqualRepeats, repeatsOf } from '../sameness-statement.ts';
import { bringsSeveral, measuresOf } from '../statement.ts';

export interface CellForm {
  readonly head: string;
  /** At a step of a sweep; null: over all. */
  readonly cell: (variant: VariantSummary, step: number | null) => string;
}

export interface TerminalColumn extends CellForm {
  /** What it is where room is scarce; null: nothing. */
  readonly narrow: CellForm | null;
  /** Of the columns that can be narrower, the lowest gives way first; Infinity: this one never does. */
  readonly givesWay: number;
}

export const MOST_STAGES = 3;

type ColumnId = ResultColumn['id'];

const OF_SWEEP: readonly ColumnId[] = ['p50', 'p95', 'speed', 'errors', 'throughput', 'load'];
const BESIDE_SPEED: readonly ColumnId[] = ['likeness', 'same', 'errors', 'blocked', 'dropped', 'cost'];

/** Of a sweep, what depends on the load, for each step; else a column only where it says something. */
export function terminalColumns(source: Pick<ReportSource, 'analysis' | 'comparisons'>): readonly TerminalColumn[] {
  const { analysis } = source;
  const steps = sweepSteps(analysis.run.plan.load);
  const measures = measuresOf(analysis);
  const hasSeveral = analysis.variants.some(({ name }) =>
    (steps ?? []).some((step) => bringsSeveral(name, step, measures)),
  );
  const columns = resultColumns(source, { bySteps: true }).map((column) =>
    hasSeveral && column.id === 'throughput'
      ? throughputColumn(analysis, analysis.variants, { metric: 'made.outputs', head: 'Outputs' })
      : column,
  );
  const isAnywhere = (id: ColumnId, holds: (cell: ResultCell) => boolean) =>
    columns.some(
      (column) =>
        column.id === id &&
        analysis.variants.some((variant) => (steps ?? [null]).some((step) => holds(column.cell(variant, step)))),
    );
  const hasSpeeds = isAnywhere('speed', ({ numbers }) => numbers !== null);
  const latencies: readonly ColumnId[] = hasSpeeds ? ['p50', 'speed'] : ['p50', 'p95'];
  const left = new Set<ColumnId>([
    ...(hasSpeeds ? [] : ['speed' as const]),
    ...(isAnywhere('likeness', ({ inLine }) => inLine.narrow !== '') ? [] : ['likeness' as const]),
    ...(areEqualRepeats(repeatsOf(analysis)) ? ['same' as const] : []),
  ]);
  const shown = steps === null ? [...latencies, ...BESIDE_SPEED] : OF_SWEEP;
  const isAlone = steps === null && !hasSpeeds;
  return shown
    .filter((id) => !left.has(id))
    .flatMap((id) => columns.filter((column) => column.id === id).map((column) => terminalColumn(column, isAlone)));
}

function isLatency(id: ColumnId): boolean {
  return id === 'p50' || id === 'p95';
}

/** @param isAlone whether no speed stands beside the median: then its interval does */
function terminalColumn({ id, head, cell }: ResultColumn, isAlone: boolean): TerminalColumn {
  const form = (head: string, width: keyof ResultCell['inLine']): CellForm => ({
    head,
    cell: (variant, step) => {
      const { inLine, value, interval } = cell(variant, step);
      // Of a step with too few takes the value alone is known.
      const isRough = step !== null && isLatency(id) && value !== null && interval === null;
      return `${isRough ? '~' : ''}${inLine[width]}`;
    },
  });
  const fixed = (of: CellForm) => ({ ...of, narrow: null, givesWay: Infinity });
  switch (id) {
    case 'p50':
      return fixed(isAlone ? form('p50 [95 %]', 'wide') : form('p50', 'narrow'));
    case 'speed':
      return { ...form('speed [95 %]', 'wide'), narrow: form('speed', 'narrow'), givesWay: 3 };
    case 'throughput':
      return fixed(form(head.toLowerCase(), 'wide'));
    case 'likeness':
      return fixed(form('similar', 'narrow'));
    case 'same':
      return { ...form('equal repeats', 'wide'), narrow: form('equal repeats', 'narrow'), givesWay: 1 };
    case 'cost':
      return { ...form('cost each', 'narrow'), narrow: null, givesWay: 2 };
    default:
      return fixed(form(id, 'narrow'));
  }
}
