import { allWithin } from '../elements.ts';
import type { CellFacts } from '../page-facts.ts';
import { cellFacts, shownFacts } from '../takes-data.ts';
import type { FilterState } from './filter-state.ts';

export interface SheetPrompt {
  readonly article: HTMLElement;
  readonly kind: string;
  readonly name: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** Looked up once it is needed: very many prompts take a while. */
  readonly table: () => SheetTable;
  isNarrowed: boolean;
}

interface SheetTable {
  readonly variants: readonly string[];
  readonly heads: readonly HTMLElement[];
  readonly rows: readonly FilteredRow[];
}

interface FilteredRow {
  readonly row: HTMLElement;
  readonly seed: string;
  /** In the order of the variants. */
  readonly places: readonly HTMLElement[];
}

export function sheetPrompts(): readonly SheetPrompt[] {
  return allWithin(document, '#images article', HTMLElement).map((article): SheetPrompt => {
    let table: SheetTable | null = null;
    const name = article.dataset.prompt ?? '';
    return {
      article,
      kind: article.dataset.kind ?? '',
      name,
      text: article.querySelector('.text')?.textContent ?? '',
      tags: shownFacts().tagsOf(name),
      table: () => {
        table ??= tableOf(article);
        return table;
      },
      isNarrowed: false,
    };
  });
}

function tableOf(article: HTMLElement): SheetTable {
  const heads = allWithin(article, 'thead th:not(.input)', HTMLElement);
  const rows = allWithin(article, 'tbody tr', HTMLTableRowElement).map((row): FilteredRow => {
    return { row, seed: row.dataset.seed ?? '', places: allWithin(row, 'td:not(.input)', HTMLElement) };
  });
  return { variants: heads.map((head) => head.textContent?.trim() ?? ''), heads, rows };
}

/** Null where nothing was planned. */
function cellAt({ id }: HTMLElement): CellFacts | null {
  return id === '' ? null : cellFacts(Number(id.slice('cell-'.length)));
}

/** Gives whether anything of the prompt is shown. */
export function showChosen(prompt: SheetPrompt, state: FilterState): boolean {
  const sought = state.prompt.toLowerCase();
  const isSought = prompt.name.toLowerCase().includes(sought) || prompt.text.toLowerCase().includes(sought);
  if (!isSought || (state.tag !== '' && !prompt.tags.includes(state.tag))) return false;
  const isNarrow = [state.seed, state.variant, state.level, state.outcome].some((choice) => choice !== '');
  if (!isNarrow && !prompt.isNarrowed) return true;
  prompt.isNarrowed = isNarrow;
  const { variants, heads, rows } = prompt.table();
  const columns = new Set<number>();
  for (const { row, seed, places } of rows) {
    let isAny = false;
    for (const [at, place] of places.entries()) {
      const isChosen =
        (state.seed === '' || state.seed === seed) &&
        (state.variant === '' || state.variant === variants[at]) &&
        matches(place, state);
      place.classList.toggle('out', !isChosen);
      if (!isChosen) continue;
      columns.add(at);
      isAny = true;
    }
    row.hidden = !isAny;
  }
  for (const [at, head] of heads.entries()) {
    head.hidden = !columns.has(at);
    for (const { places } of rows) {
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
