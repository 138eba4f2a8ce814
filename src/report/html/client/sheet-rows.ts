import { allWithin } from './elements.ts';
import { type CellFacts, cellFacts, shownFacts } from './page-facts.ts';

/** Empty texts choose all. */
export interface FilterState {
  /** Empty for the first one, and where the run has one. */
  readonly kind: string;
  readonly variant: string;
  /** A part of a prompt's id or text. */
  readonly prompt: string;
  readonly seed: string;
  readonly tag: string;
  readonly level: string;
  readonly outcome: string;
  /** From 1; 0 shows all pages. */
  readonly page: number;
}

export const EVERYTHING: FilterState = {
  kind: '',
  variant: '',
  prompt: '',
  seed: '',
  tag: '',
  level: '',
  outcome: '',
  page: 1,
};

/** The section that the filter is about, then a query. */
const PREFIX = '#images?';

export function hashOf(state: FilterState): string {
  const query = new URLSearchParams();
  for (const key of ['kind', 'variant', 'prompt', 'seed', 'tag', 'level', 'outcome'] as const) {
    if (state[key] !== '') query.set(key, state[key]);
  }
  if (state.page !== 1) query.set('page', String(state.page));
  return query.size === 0 ? '#images' : `${PREFIX}${query}`;
}

/** Null where the hash leads elsewhere. */
export function filterOf(hash: string): FilterState | null {
  if (!hash.startsWith(PREFIX)) return null;
  const query = new URLSearchParams(hash.slice(PREFIX.length));
  const text = (key: string): string => query.get(key) ?? '';
  const page = Number(query.get('page') ?? '1');
  return {
    kind: text('kind'),
    variant: text('variant'),
    prompt: text('prompt'),
    seed: text('seed'),
    tag: text('tag'),
    level: text('level'),
    outcome: text('outcome'),
    page: Number.isInteger(page) && page >= 0 ? page : 1,
  };
}

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
