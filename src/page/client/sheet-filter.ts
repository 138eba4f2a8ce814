import { count, plural } from '../../kit/wording.ts';
import { allWithin, make, makeButton } from '../../markup/elements.ts';
import { arriveAt, kindForAddress, onKind, shownKind } from './kind-tabs.ts';
import { cellFacts, shownFacts } from './page-facts.ts';

/** Empty chooses all; of `kind` the first. `prompt`: part of its id, text or tags. */
const KEYS = ['kind', 'variant', 'prompt'] as const;

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
      apply(target.closest('[hidden]') === null ? state : EVERYTHING);
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

/** A column for each variant. */
interface SheetTable {
  readonly variants: readonly string[];
  readonly baseline: string;
  /** Heads, then the cells of each seed. */
  readonly rows: readonly (readonly HTMLElement[])[];
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
  const cells = allWithin(article, 'tbody tr', HTMLElement).map((row) => allWithin(row, 'td:not(.input)', HTMLElement));
  const [baseline = ''] = allWithin(article, 'td[id]', HTMLElement).flatMap(
    ({ id }) => cellFacts(Number(id.slice('cell-'.length)))?.baseline ?? [],
  );
  return { variants: heads.map(({ textContent }) => textContent?.trim() ?? ''), baseline, rows: [heads, ...cells] };
}

/** True if the prompt is shown; a variant beside its baseline. */
function showChosen(prompt: SheetPrompt, { prompt: sought, variant }: FilterState): boolean {
  if (!prompt.text.includes(sought.toLowerCase())) return false;
  if (variant === '' && !prompt.isNarrowed) return true;
  const { variants, baseline, rows } = prompt.table();
  prompt.isNarrowed = variant !== '';
  for (const row of rows)
    for (const [at, place] of row.entries())
      place.hidden = prompt.isNarrowed && variants[at] !== variant && variants[at] !== baseline;
  return true;
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
  const names = variantsOf(prompts);
  const choice = make('select', '', new Option('every variant', ''), ...names.map((name) => new Option(name)));
  choice.setAttribute('aria-label', 'variant');
  choice.addEventListener('change', () => narrow({ variant: choice.value }));
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
  bar.append(search, ...(names.length > 1 ? [choice] : []), reset, words);
  bar.hidden = false;
  return (state, { chosen, of, variants }) => {
    choice.value = state.variant;
    for (const option of choice.options) option.hidden = option.value !== '' && !variants.includes(option.value);
    if (search.value !== state.prompt) search.value = state.prompt;
    reset.disabled = hashOf({ ...state, kind: '' }) === hashOf(EVERYTHING);
    words.textContent = chosen === of ? plural(of, 'prompt') : `${count(chosen)} of ${plural(of, 'prompt')}`;
  };
}

/** Of all kinds. */
function variantsOf(prompts: readonly SheetPrompt[]): readonly string[] {
  const firsts = new Map(prompts.toReversed().map((prompt) => [prompt.kind, prompt]));
  return [...new Set([...firsts.values()].toReversed().flatMap((prompt) => prompt.table().variants))];
}
