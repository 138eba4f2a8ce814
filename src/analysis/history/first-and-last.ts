import { caseSeedOf } from '../../plan/plan.ts';
import type { HistoryCell } from '../../record/kept-run.ts';
import type { RunOfVariant } from '../earlier-runs.ts';

export interface FirstAndLast extends HistoryCell {
  readonly first: RunOutput;
  readonly last: RunOutput;
  readonly cells: number;
  readonly same: number;
}

export interface RunOutput {
  readonly run: string;
  readonly sha256: string;
}

/** The first prompt and seed with different bytes, else the first in both runs. `runs`: the earliest first. */
export function firstAndLast(runs: readonly RunOfVariant[]): FirstAndLast | null {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const before = outputsOf(first);
  const pairs = [...outputsOf(last)].flatMap(([key, { cell, output }]) => {
    const earlier = before.get(key);
    return earlier === undefined ? [] : [{ cell, earlier: earlier.output, later: output }];
  });
  const shown = pairs.find(({ earlier, later }) => earlier.sha256 !== later.sha256) ?? pairs[0];
  if (shown === undefined) return null;
  const same = pairs.filter(({ earlier, later }) => earlier.sha256 === later.sha256).length;
  return { ...shown.cell, first: shown.earlier, last: shown.later, cells: pairs.length, same };
}

interface CellOutput {
  readonly cell: HistoryCell;
  readonly output: RunOutput;
}

function outputsOf({ line: { run }, of: { cells, outputs = [] } }: RunOfVariant): ReadonlyMap<string, CellOutput> {
  return new Map(
    cells.flatMap((cell, at): [string, CellOutput][] => {
      const sha256 = outputs[at] ?? null;
      return sha256 === null ? [] : [[caseSeedOf(cell), { cell, output: { run, sha256 } }]];
    }),
  );
}
