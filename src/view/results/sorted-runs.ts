import { GATE_VERDICTS } from '../../record/codes.ts';
import { type RunOrder, type RunPlace, SORT_KEYS, type SortKey } from '../addresses.ts';
import type { ListedRun } from '../pages/lists/runs-table.ts';
import type { Part } from '../pages/parts/page.ts';
import type { Library } from './library.ts';

/** Sorting by what only journals have reads all of them, so at most so many runs can be sorted by it. */
const MOST_READ = 500;

const OF_JOURNAL: ReadonlySet<SortKey> = new Set(['took', 'requests', 'spend']);

export function sortKeysOf(runs: readonly RunPlace[]): readonly SortKey[] {
  return runs.length <= MOST_READ ? SORT_KEYS : SORT_KEYS.filter((key) => !OF_JOURNAL.has(key));
}

/**
 * Unknown values come last in both directions; equal runs keep their order.
 * @param runs the latest first
 */
export async function sortedPart(
  runs: readonly RunPlace[],
  { by, isDescending }: RunOrder,
  { from, size }: Part,
  library: Pick<Library, 'listed' | 'line'>,
): Promise<readonly ListedRun[]> {
  const listedPart = (sorted: readonly RunPlace[]) => Promise.all(sorted.slice(from, from + size).map(library.listed));
  if (by === 'began') return await listedPart(isDescending ? runs : runs.toReversed());
  if (by === 'run') return await listedPart(sortBy(runs, ({ run }) => run, isDescending));
  if (by === 'gate') return await listedPart(sortBy(runs, (place) => gateRank(place, library), isDescending));
  const listed = await Promise.all(runs.map(library.listed));
  return sortBy(listed, VALUES[by], isDescending).slice(from, from + size);
}

const VALUES: Readonly<Record<'took' | 'requests' | 'spend', (run: ListedRun) => number | null>> = {
  took: ({ outline }) => (outline === null || outline.durationMs === 0 ? null : outline.durationMs),
  requests: ({ outline }) => outline?.requests ?? null,
  spend: ({ outline }) => outline?.spend?.usd ?? null,
};

function gateRank(place: RunPlace, library: Pick<Library, 'line'>): number | null {
  const verdict = library.line(place)?.verdict;
  return verdict === undefined ? null : GATE_VERDICTS.indexOf(verdict);
}

function sortBy<T>(
  items: readonly T[],
  read: (item: T) => number | string | null,
  isDescending: boolean,
): readonly T[] {
  const sign = isDescending ? -1 : 1;
  return items
    .map((item) => ({ item, value: read(item) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return a === b ? 0 : a < b ? -sign : sign;
    })
    .map(({ item }) => item);
}
