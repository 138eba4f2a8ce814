import { outcomeWords } from '../../kit/outcome-words.ts';
import { count, plural } from '../../kit/wording.ts';
import { allWithin, make, makeButton } from '../../markup/elements.ts';
import { LEVELS } from '../../media/level.ts';
import { LEVEL_WORDS } from '../../report/level-words.ts';
import { arriveAt, kindForAddress, onKind, shownKind } from './kind-tabs.ts';
import { type CellFacts, cellFacts, shownFacts } from './page-facts.ts';

/** Empty chooses all; of `kind` the first. `prompt`: part of its id, text or tags. `failure`: code of an error. */
const KEYS = ['kind', 'variant', 'prompt', 'level', 'outcome', 'failure'] as const;

type FilterState = Readonly<Record<(typeof KEYS)[number], string>>;

const PREFIX = '#images?';

const EVERYTHING = stateOf(new URLSearchParams());

function stateOf(query: URLSearchParams): FilterState {
  const values = KEYS.map((key) => [key, query.get(key) ?? '']);
  return Object.fromEntries(values) as Record<(typeof KEYS)[number], string>;
}

function hashOf(state: FilterState): string {
  const query = new URLSearchParams(KEYS.flatMap((key) => (state[key] === '' ? [] : [[key, state[key]]])));
  return query.size === 0 ? '#images' : `${PREFIX}${query}`;
}

/** Null where the hash leads elsewhere. */
function filterOf(hash: string): FilterState | null {
  return hash.startsWith(PREFIX) ? stateOf(new URLSearchParams(hash.slice(PREFIX.length))) : null;
}

/** Prompts that are readied before anybody scrolls to them, for keys and screen readers. */
const AT_ONCE = 12;

/** Keeps the filter in the address, so that a view can be linked. @param prepare readies a prompt's images */
export function filterSheet(bar: HTMLElement, prepare: (article: HTMLElement) => void): void {
  for (const fold of allWithin(document, '#images > details', HTMLElement))
    fold.replaceWith(...fold.querySelectorAll('article'));
  const prompts = allWithin(document, '#images article', HTMLElement).map(sheetPrompt);
  if (prompts.length === 0) return;
  const near = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting || !(target instanceof HTMLElement)) continue;
        near.unobserve(target);
        prepare(target);
      }
    },
    { rootMargin: '100%' },
  );
  for (const { article } of prompts) near.observe(article);
  let state = filterOf(location.hash) ?? EVERYTHING;
  const heads = allWithin(document, '#images h3[data-kind]', HTMLElement);
  const apply = (wanted: FilterState): void => {
    const kind = shownKind();
    const ofKind = prompts.filter((prompt) => kind === null || prompt.kind === kind);
    const variants = ofKind[0]?.table().variants ?? [];
    const variant = variants.includes(wanted.variant) ? wanted.variant : '';
    state = { ...wanted, kind: kindForAddress(), variant };
    const chosen = new Set(ofKind.filter((prompt) => showChosen(prompt, state)));
    for (const prompt of prompts) prompt.article.hidden = !chosen.has(prompt);
    for (const { article } of [...chosen].slice(0, AT_ONCE)) prepare(article);
    for (const head of heads) head.hidden = ![...chosen].some((prompt) => prompt.kind === head.dataset.kind);
    controls(state, { chosen: chosen.size, of: ofKind.length, variants });
  };
  const controls = filterControls(bar, prompts, (change) => {
    apply({ ...state, ...change });
    history.replaceState(null, '', hashOf(state));
  });
  /** Shows the prompt of the address, or what its filter leaves. */
  const follow = (): void => {
    const wanted = filterOf(location.hash);
    const target = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
    if (wanted !== null) {
      apply(wanted);
      arriveAt(bar);
    } else if (target !== null && target.closest('#images article') !== null) {
      apply(target.closest('[hidden], .out') === null ? state : EVERYTHING);
      arriveAt(target, { block: 'center', inline: 'center' });
    }
  };
  apply(state);
  follow();
  addEventListener('hashchange', follow);
  onKind(() => apply(state));
}

interface SheetPrompt {
  readonly article: HTMLElement;
  readonly kind: string;
  /** Id, text and tags, in small letters. */
  readonly text: string;
  /** Read when needed: very many prompts take a while. */
  readonly table: () => SheetTable;
  isNarrowed: boolean;
}

/** Rows of seeds and columns of variants. */
interface SheetTable {
  readonly heads: readonly HTMLElement[];
  readonly variants: readonly string[];
  readonly baseline: string;
  readonly rows: readonly { readonly row: HTMLElement; readonly places: readonly HTMLElement[] }[];
}

function sheetPrompt(article: HTMLElement): SheetPrompt {
  let table: SheetTable | null = null;
  const { kind = '', prompt = '' } = article.dataset;
  const { text = '', tags = [] } = shownFacts().prompts.get(prompt) ?? {};
  return {
    article,
    kind,
    text: [prompt, text, ...tags].join(' ').toLowerCase(),
    table: () => {
      table ??= tableOf(article);
      return table;
    },
    isNarrowed: false,
  };
}

function tableOf(article: HTMLElement): SheetTable {
  const heads = allWithin(article, 'thead th:not(.input)', HTMLElement);
  const rows = allWithin(article, 'tbody tr', HTMLElement).map((row) => ({
    row,
    places: allWithin(row, 'td:not(.input)', HTMLElement),
  }));
  const baselines = rows.flatMap(({ places }) => places.flatMap((place) => cellAt(place)?.baseline ?? []));
  return {
    heads,
    variants: heads.map(({ textContent }) => textContent?.trim() ?? ''),
    baseline: baselines[0] ?? '',
    rows,
  };
}

function cellAt({ id }: HTMLElement): CellFacts | null {
  return id === '' ? null : cellFacts(Number(id.slice('cell-'.length)));
}

/** True if anything of the prompt is shown. Filters of cells show matches alone, a variant its baseline too. */
function showChosen(prompt: SheetPrompt, { prompt: sought, variant, ...ofCells }: FilterState): boolean {
  if (!prompt.text.includes(sought.toLowerCase())) return false;
  const { level, outcome, failure } = ofCells;
  const isOfCells = level !== '' || outcome !== '' || failure !== '';
  if (!isOfCells && variant === '' && !prompt.isNarrowed) return true;
  const { heads, variants, baseline, rows } = prompt.table();
  const isChosen = (name: string | undefined): boolean =>
    variant === '' || name === variant || (!isOfCells && name === baseline);
  const shown = rows.map(({ places }) =>
    places.map((place, at) => isChosen(variants[at]) && (!isOfCells || matches(cellAt(place), ofCells))),
  );
  const columns = heads.map((_, at) => shown.some((row) => row[at]));
  // The cells of a hidden prompt stay as they are: very many would be hidden, and shown again, for nobody.
  if (!columns.includes(true)) return false;
  prompt.isNarrowed = isOfCells || variant !== '';
  for (const [at, head] of heads.entries()) head.hidden = !columns[at];
  for (const [at, { row, places }] of rows.entries()) {
    row.hidden = !shown[at]?.includes(true);
    for (const [column, place] of places.entries()) {
      place.hidden = !columns[column];
      place.classList.toggle('out', !shown[at]?.[column]);
    }
  }
  return true;
}

function matches(
  cell: CellFacts | null,
  { level, outcome, failure }: Pick<FilterState, 'level' | 'outcome' | 'failure'>,
) {
  return (
    cell !== null &&
    (level === '' || cell.level === level) &&
    (outcome === '' || outcomesOf(cell).includes(outcome)) &&
    (failure === '' || cell.failures.includes(failure))
  );
}

function outcomesOf({ outputs, lost }: CellFacts): readonly string[] {
  return [...(outputs.length > 0 ? ['ok'] : []), ...lost];
}

/** Returns what shows a state in the controls. */
function filterControls(
  bar: HTMLElement,
  prompts: readonly SheetPrompt[],
  narrow: (change: Partial<FilterState>) => void,
): (
  state: FilterState,
  found: { readonly chosen: number; readonly of: number; readonly variants: readonly string[] },
) => void {
  const selects = choices(prompts).map(([key, values]) => {
    const select = make(
      'select',
      '',
      new Option(`every ${key}`, ''),
      ...values.map(([of, words]) => new Option(words, of)),
    );
    select.setAttribute('aria-label', key);
    select.addEventListener('change', () => narrow({ [key]: select.value }));
    return { key, select };
  });
  const search = make('input', '');
  search.type = 'search';
  search.placeholder = 'prompt, its text or tag';
  search.setAttribute('aria-label', search.placeholder);
  search.addEventListener('input', () => narrow({ prompt: search.value }));
  const reset = makeButton('Reset', '', () => {
    narrow(EVERYTHING);
    search.focus();
  });
  const words = make('span', 'found');
  words.setAttribute('role', 'status');
  bar.append(search, ...selects.map(({ select }) => select), reset, words);
  bar.hidden = false;
  return (state, { chosen, of, variants }) => {
    for (const { key, select } of selects) {
      select.value = state[key];
      for (const option of key === 'variant' ? select.options : [])
        option.hidden = option.value !== '' && !variants.includes(option.value);
    }
    if (search.value !== state.prompt) search.value = state.prompt;
    reset.disabled = hashOf({ ...state, kind: '' }) === hashOf(EVERYTHING);
    words.textContent = chosen === of ? plural(of, 'prompt') : `${count(chosen)} of ${plural(of, 'prompt')}`;
  };
}

type Choices = readonly (readonly [value: string, words: string])[];

function choices(prompts: readonly SheetPrompt[]) {
  const { cells } = shownFacts();
  const outcomes = new Set(cells.flatMap(outcomesOf));
  const levels = new Set(cells.map(({ level }) => level));
  const same = (values: readonly string[]): Choices => [...new Set(values)].map((value) => [value, value]);
  const firsts = new Map(prompts.toReversed().map((prompt) => [prompt.kind, prompt]));
  const all = [
    ['variant', same([...firsts.values()].toReversed().flatMap((prompt) => prompt.table().variants))],
    ['level', LEVELS.filter((level) => levels.has(level)).map((level) => [level, LEVEL_WORDS[level].same])],
    ['outcome', [...outcomes].map((outcome) => [outcome, outcomeWords(outcome)])],
    ['failure', same(cells.flatMap(({ failures }) => failures))],
  ] as const satisfies readonly (readonly [keyof FilterState, Choices])[];
  return all.filter(([, values]) => values.length > 1);
}
