import { allWithin } from '../elements.ts';
import { type CellFacts, cellFacts } from '../takes-data.ts';
import type { FilterState } from './filter-state.ts';

/** The images of a prompt in the contact sheet. */
export interface SheetPrompt {
  readonly article: HTMLElement;
  readonly kind: string;
  readonly name: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly variants: readonly string[];
  readonly heads: readonly HTMLElement[];
  readonly rows: readonly SheetRow[];
}

interface SheetRow {
  readonly row: HTMLElement;
  readonly seed: string;
  /** In the order of the variants. */
  readonly places: readonly HTMLElement[];
}

/** The prompts of the contact sheet, in its order. */
export function sheetPrompts(): readonly SheetPrompt[] {
  return allWithin(document, '#images article', HTMLElement).map((article): SheetPrompt => {
    const heads = allWithin(article, 'thead th', HTMLElement);
    const rows = allWithin(article, 'tbody tr', HTMLTableRowElement).map((row): SheetRow => {
      return { row, seed: row.dataset.seed ?? '', places: allWithin(row, 'td', HTMLElement) };
    });
    const some = rows.flatMap(({ places }) => places).find(({ id }) => id !== '');
    return {
      article,
      kind: article.dataset.kind ?? '',
      name: article.dataset.prompt ?? '',
      text: article.querySelector('.text')?.textContent ?? '',
      tags: (some === undefined ? null : cellAt(some))?.tags ?? [],
      variants: heads.map((head) => head.textContent?.trim() ?? ''),
      heads,
      rows,
    };
  });
}

/** The cell at a place of the sheet; null where nothing was planned. */
export function cellAt({ id }: HTMLElement): CellFacts | null {
  return id === '' ? null : cellFacts(Number(id.slice('cell-'.length)));
}

/** Shows of a prompt what a filter chooses; whether there is anything. */
export function showChosen(prompt: SheetPrompt, state: FilterState): boolean {
  const sought = state.prompt.toLowerCase();
  const isSought = prompt.name.toLowerCase().includes(sought) || prompt.text.toLowerCase().includes(sought);
  if (!isSought || (state.tag !== '' && !prompt.tags.includes(state.tag))) return false;
  const columns = new Set<number>();
  for (const { row, seed, places } of prompt.rows) {
    let isAny = false;
    for (const [at, place] of places.entries()) {
      const isChosen =
        (state.seed === '' || state.seed === seed) &&
        (state.variant === '' || state.variant === prompt.variants[at]) &&
        matches(place, state);
      place.classList.toggle('out', !isChosen);
      if (!isChosen) continue;
      columns.add(at);
      isAny = true;
    }
    row.hidden = !isAny;
  }
  for (const [at, head] of prompt.heads.entries()) {
    head.hidden = !columns.has(at);
    for (const { places } of prompt.rows) {
      const place = places[at];
      if (place !== undefined) place.hidden = head.hidden;
    }
  }
  return columns.size > 0;
}

function matches(place: HTMLElement, { level, outcome }: FilterState): boolean {
  if (level === '' && outcome === '') return true;
  const cell = cellAt(place);
  if (cell === null) return false;
  return (level === '' || cell.level === level) && (outcome === '' || cell.outcomes.includes(outcome));
}
