import { allWithin } from '../../markup/elements.ts';
import { compareChange } from '../../report/level-words.ts';
import { type CellFacts, cellFacts } from './page-facts.ts';

/** What the variants of a kind gave for a prompt and seed. */
export interface ShownRow {
  readonly article: HTMLElement;
  readonly prompt: string;
  readonly seed: number;
  readonly cells: readonly CellFacts[];
}

const known = new Map<string, readonly ShownRow[]>();

/** All of a kind, the most changed first; those that were not compared last, in the order of the suite. */
export function rowsByChange(kind: string): readonly ShownRow[] {
  const found = known.get(kind);
  if (found !== undefined) return found;
  const rows = allWithin(document, '#images article', HTMLElement)
    .filter(({ dataset }) => dataset.kind === kind)
    .flatMap(rowsIn)
    .sort((a, b) => byChange(a.cells, b.cells) || a.number - b.number);
  known.set(kind, rows);
  return rows;
}

function rowsIn(article: HTMLElement): readonly (ShownRow & { readonly number: number })[] {
  const seeds = new Map<number, CellFacts[]>();
  for (const { id } of allWithin(article, 'td[id]', HTMLElement)) {
    const cell = cellFacts(Number(id.slice('cell-'.length)));
    if (cell !== null) seeds.set(cell.seed, [...(seeds.get(cell.seed) ?? []), cell]);
  }
  return [...seeds].map(([seed, cells]) => {
    const number = Math.min(...cells.map((cell) => cell.number));
    return { article, prompt: article.dataset.prompt ?? '', seed, cells, number };
  });
}

/** The cell of a row that changed most; null where none was compared. */
function mostChanged(cells: readonly CellFacts[]): NonNullable<CellFacts['likeness']> | null {
  const [most] = cells
    .flatMap(({ likeness }) => likeness ?? [])
    .toSorted((a, b) => compareChange(rankOf(a), rankOf(b)));
  return most ?? null;
}

function byChange(one: readonly CellFacts[], other: readonly CellFacts[]): number {
  const [a, b] = [mostChanged(one), mostChanged(other)];
  return a === null || b === null ? Number(a === null) - Number(b === null) : compareChange(rankOf(a), rankOf(b));
}

function rankOf(likeness: NonNullable<CellFacts['likeness']>): Parameters<typeof compareChange>[0] {
  return likeness.word === 'unknown' ? { word: 'unknown', ssim: null } : likeness;
}
