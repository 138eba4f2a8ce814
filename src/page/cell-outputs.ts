import type { Cell, Take } from '../analysis/summaries.ts';

export type DeliveredTake = Take & { readonly sha256: string };

/** Digests of a cell's usual output, and of the one that the stored baseline has in its place. */
export interface Change {
  readonly stored: string;
  readonly now: string;
}

/** The first take of each distinct output, in the order of takes. */
export function firstOfEachOutput(cell: Cell): readonly DeliveredTake[] {
  const known = new Set<string>();
  return [...cell.takes]
    .sort((a, b) => (a.step ?? 0) - (b.step ?? 0) || a.repeat - b.repeat)
    .filter((take): take is DeliveredTake => {
      if (take.sha256 === null || take.outcome !== 'ok' || known.has(take.sha256)) return false;
      known.add(take.sha256);
      return true;
    });
}

/** As `firstOfEachOutput`, behind the output that is not that of the stored baseline. */
export function usualFirst(
  cell: Cell,
  { changeOf }: { readonly changeOf: (cell: Cell) => Change | null },
): readonly DeliveredTake[] {
  const change = changeOf(cell);
  const isNow = ({ sha256 }: DeliveredTake) => sha256 === change?.now;
  return firstOfEachOutput(cell).toSorted((a, b) => Number(isNow(b)) - Number(isNow(a)));
}
