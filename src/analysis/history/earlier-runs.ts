import { caseSeedOf } from '../../plan/plan.ts';
import type { HistoryLine, HistoryVariant } from '../../record/kept-run.ts';
import type { RunCells } from './decide-runs.ts';

export interface RunOfVariant {
  readonly line: HistoryLine;
  readonly of: HistoryVariant;
}

/** The complete runs in which a variant was sent what it is sent now, the earliest first. */
export function comparableRuns(
  lines: readonly HistoryLine[],
  { variant, digest }: { readonly variant: string; readonly digest: string },
): readonly RunOfVariant[] {
  return byTime(lines)
    .filter(({ complete }) => complete)
    .flatMap((line) =>
      line.variants
        .filter((each) => each.variant === variant && each.comparableDigest === digest)
        .map((of) => ({ line, of })),
    );
}

export function byTime(lines: readonly HistoryLine[]): readonly HistoryLine[] {
  return lines.toSorted(orderOf);
}

export function isBefore(a: StartedRun, b: StartedRun): boolean {
  return orderOf(a, b) < 0;
}

export type StartedRun = Pick<HistoryLine, 'run' | 'startedAt'>;

function orderOf(a: StartedRun, b: StartedRun): number {
  return order(a.startedAt, b.startedAt) || order(a.run, b.run);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function cellsOfRun(
  { cells, lnValues }: Pick<HistoryVariant, 'cells' | 'lnValues'>,
  metric: string,
  prompts: ReadonlySet<string> | null = null,
): RunCells {
  const values = lnValues[metric] ?? [];
  return new Map(
    cells.flatMap((cell, at) => {
      const value = values[at] ?? null;
      const isAsked = prompts === null || prompts.has(cell.prompt);
      return value === null || !isAsked ? [] : [[caseSeedOf(cell), value] as const];
    }),
  );
}
