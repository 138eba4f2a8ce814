import { plural } from '../../kit/wording.ts';
import { allWithin, make } from '../../markup/elements.ts';
import { type CellFacts, cellFacts, shownFacts } from './page-facts.ts';

/** More variants beside the baseline variant would be too small to show detail. */
const MOST_CHOSEN = 6;

/**
 * Empty chooses all; of `kind` the first. `prompt`: part of its id or text. `likeness`: to the baseline variant, whose
 * image is shown beside those chosen. `failure`: code of an error. `order`: `declared`; empty: the most changed first.
 */
const KEYS = ['kind', 'prompt', 'seed', 'tag', 'level', 'outcome', 'likeness', 'failure', 'order'] as const;

export type FilterState = Readonly<Record<(typeof KEYS)[number], string>> & {
  /** Shown beside the baseline variant; empty: all. */
  readonly variants: readonly string[];
  /** From 1; 0 shows all pages. */
  readonly page: number;
};

const PREFIX = '#images?';

export const EVERYTHING = stateOf(new URLSearchParams());

export function hashOf(state: FilterState): string {
  const query = new URLSearchParams();
  for (const key of KEYS) {
    if (state[key] !== '') query.set(key, state[key]);
    if (key === 'kind') for (const variant of state.variants) query.append('variant', variant);
  }
  if (state.page !== 1) query.set('page', String(state.page));
  return query.size === 0 ? '#images' : `${PREFIX}${query}`;
}

/** Null where the hash leads elsewhere. */
export function filterOf(hash: string): FilterState | null {
  return hash.startsWith(PREFIX) ? stateOf(new URLSearchParams(hash.slice(PREFIX.length))) : null;
}

function stateOf(query: URLSearchParams): FilterState {
  const texts = Object.fromEntries(KEYS.map((key) => [key, query.get(key) ?? ''])) as Record<
    (typeof KEYS)[number],
    string
  >;
  const page = Number(query.get('page') ?? '1');
  return {
    ...texts,
    variants: query.getAll('variant').slice(0, MOST_CHOSEN),
    page: Number.isInteger(page) && page >= 0 ? page : 1,
  };
}

export interface SheetPrompt {
  readonly article: HTMLElement;
  readonly kind: string;
  readonly name: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** Read when needed: very many prompts take a while. */
  readonly table: () => SheetTable;
  isNarrowed: boolean;
}

/** Rows of seeds and columns of variants, or the other way round. */
interface SheetTable {
  readonly variants: readonly string[];
  /** Empty where no variant is compared with another. */
  readonly baseline: string;
  readonly seeds: readonly string[];
  readonly heads: readonly HTMLElement[];
  readonly rows: readonly HTMLElement[];
  readonly places: readonly SheetPlace[];
}

interface SheetPlace {
  readonly place: HTMLElement;
  readonly variant: string;
  readonly seed: string;
  readonly row: number;
  readonly column: number;
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
      tags: shownFacts().prompts.get(name)?.tags ?? [],
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
  const rows = allWithin(article, 'tbody tr', HTMLTableRowElement);
  const places = rows.flatMap((tr, row) =>
    allWithin(tr, 'td:not(.input)', HTMLElement).map((place, column): SheetPlace => {
      const head = heads[column];
      const variant = tr.dataset.variant ?? head?.textContent?.trim() ?? '';
      return { place, variant, seed: tr.dataset.seed ?? head?.dataset.seed ?? '', row, column };
    }),
  );
  const distinct = (values: readonly string[]) => [...new Set(values)];
  const [variants, seeds] = [places.map(({ variant }) => variant), places.map(({ seed }) => seed)];
  const [compared] = places
    .slice(0, distinct(variants).length + 1)
    .flatMap(({ place }) => cellAt(place)?.baseline ?? []);
  return { variants: distinct(variants), baseline: compared ?? '', seeds: distinct(seeds), heads, rows, places };
}

function cellAt({ id }: HTMLElement): CellFacts | null {
  return id === '' ? null : cellFacts(Number(id.slice('cell-'.length)));
}

/** With so few variants the seeds stand side by side, as in a run with no more variants. */
const MOST_ACROSS = 2;

/** True if anything of the prompt is shown. */
export function showChosen(prompt: SheetPrompt, state: FilterState): boolean {
  const sought = state.prompt.toLowerCase();
  const isSought = prompt.name.toLowerCase().includes(sought) || prompt.text.toLowerCase().includes(sought);
  if (!isSought || (state.tag !== '' && !prompt.tags.includes(state.tag))) return false;
  const { seed, variants, level, outcome, likeness, failure } = state;
  const isOfCells = [level, outcome, failure].some((choice) => choice !== '');
  const isNarrow = isOfCells || seed !== '' || likeness !== '' || variants.length > 0;
  if (!isNarrow && !prompt.isNarrowed) return true;
  prompt.isNarrowed = isNarrow;
  const { heads, rows, places, baseline } = prompt.table();
  // Filters of cells show matches alone; others keep the baseline variant beside those chosen.
  const wanted = new Set(variants.length === 0 || isOfCells ? variants : [...variants, baseline]);
  const like = new Set(
    places.flatMap((place) => (cellAt(place.place)?.likeness?.word === likeness ? [place.seed] : [])),
  );
  const chosen = places.filter(
    (place) =>
      (seed === '' || seed === place.seed) &&
      (wanted.size === 0 || wanted.has(place.variant)) &&
      (likeness === '' || like.has(place.seed)) &&
      matches(place.place, state),
  );
  const shown = new Set(chosen);
  const shownRows = new Set(chosen.map(({ row }) => row));
  const shownColumns = new Set(chosen.map(({ column }) => column));
  const isAcross = new Set(chosen.map(({ variant }) => variant)).size <= MOST_ACROSS && variants.length > 0;
  const isOfRows = prompt.kind.endsWith('-to-video') || prompt.article.querySelector('td.input') !== null;
  prompt.article.querySelector('.sheet')?.classList.toggle('across', isAcross && !isOfRows);
  for (const [at, row] of rows.entries()) row.hidden = !shownRows.has(at);
  for (const [at, head] of heads.entries()) head.hidden = !shownColumns.has(at);
  for (const place of places) {
    place.place.classList.toggle('out', !shown.has(place));
    place.place.hidden = !shownColumns.has(place.column);
  }
  return chosen.length > 0;
}

function matches(place: HTMLElement, { level, outcome, likeness, failure }: FilterState): boolean {
  if (level === '' && outcome === '' && likeness === '' && failure === '') return true;
  const cell = cellAt(place);
  if (cell === null) return false;
  return (
    (level === '' || cell.level === level) &&
    (outcome === '' || cell.takes.some((take) => take.outcome === outcome)) &&
    (likeness === '' || cell.likeness === null || cell.likeness.word === likeness) &&
    (failure === '' || cell.takes.some(({ error }) => error?.code === failure))
  );
}

const MOST_OPEN = 6;

interface VariantChips {
  readonly element: HTMLElement;
  readonly show: (chosen: readonly string[], ofKind: ReadonlySet<string>) => void;
}

/** A box for each variant that stands beside the baseline variant; none is checked where all are shown. */
export function variantChips(candidates: readonly string[], choose: (chosen: readonly string[]) => void): VariantChips {
  const chips = candidates.map((name) => {
    const input = make('input', '');
    input.type = 'checkbox';
    input.value = name;
    input.addEventListener('change', () =>
      choose(chips.filter(({ input: { checked } }) => checked).map(({ input: { value } }) => value)),
    );
    return { input, label: make('label', '', input, make('span', '', name)) };
  });
  const legend = make('legend', '', `Variants, up to ${MOST_CHOSEN}`);
  const group = make('fieldset', 'views', legend, ...chips.map(({ label }) => label));
  const summary = make('summary', '');
  const fold = make('details', 'fold', summary);
  const element = make('div', 'variant-chips', fold);
  return {
    element,
    show: (chosen, ofKind) => {
      const offered = chips.filter(({ label, input }) => {
        label.hidden = !ofKind.has(input.value);
        return !label.hidden;
      });
      const isFull = chosen.length >= MOST_CHOSEN;
      for (const { input } of chips) {
        input.checked = chosen.includes(input.value);
        input.disabled = isFull && !input.checked;
      }
      const isFolded = offered.length > MOST_OPEN;
      const place = isFolded ? fold : element;
      // Moving what has the focus would lose it.
      if (group.parentElement !== place) place.append(group);
      fold.hidden = !isFolded;
      element.hidden = offered.length < 2;
      summary.textContent =
        chosen.length === 0
          ? `every variant: choose up to ${MOST_CHOSEN} of ${plural(offered.length, 'variant')}`
          : plural(chosen.length, 'variant');
    },
  };
}
