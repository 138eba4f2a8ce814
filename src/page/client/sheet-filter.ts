import { outcomeWords } from '../../kit/outcome-words.ts';
import { count, plural } from '../../kit/wording.ts';
import { allWithin, make, makeButton } from '../../markup/elements.ts';
import { LEVELS, LIKENESSES } from '../../media/level.ts';
import { LEVEL_WORDS, LIKENESS_WORDS } from '../../report/level-words.ts';
import { arriveAt, kindForAddress, onKind, shownKind } from './kind-tabs.ts';
import { shownFacts } from './page-facts.ts';
import {
  EVERYTHING,
  type FilterState,
  filterOf,
  hashOf,
  type SheetPrompt,
  sheetPrompts,
  showChosen,
  variantChips,
} from './sheet-rows.ts';

/** Prompts of a page; a row of images fills half of a narrow screen. */
const perPage = (): number => (matchMedia('(max-width: 46rem)').matches ? 4 : 12);

/** Keeps filter and page in the address, so that a view can be linked. @param prepare readies a prompt's images */
export function filterSheet(bar: HTMLElement, prepare: (article: HTMLElement) => void): void {
  for (const fold of allWithin(document, '#images > details', HTMLElement))
    fold.replaceWith(...fold.querySelectorAll('article'));
  const prompts = sheetPrompts();
  if (prompts.length === 0) return;
  const filter = new SheetFilter(bar, prompts, prepare);
  filter.apply();
  filter.follow();
  addEventListener('hashchange', () => filter.follow());
  onKind(() => filter.apply());
}

class SheetFilter {
  readonly #bar: HTMLElement;
  readonly #prompts: readonly SheetPrompt[];
  readonly #prepare: (article: HTMLElement) => void;
  readonly #controls: FilterControls;
  readonly #heads = allWithin(document, '#images h3[data-kind]', HTMLElement);
  #state = filterOf(location.hash) ?? EVERYTHING;
  #chosen: readonly SheetPrompt[];
  #arranged = '';

  constructor(bar: HTMLElement, prompts: readonly SheetPrompt[], prepare: (article: HTMLElement) => void) {
    this.#bar = bar;
    this.#prompts = prompts;
    this.#prepare = prepare;
    this.#chosen = prompts;
    this.#controls = filterControls(bar, prompts, {
      narrow: (change) => this.#to({ ...this.#state, ...change, page: Math.min(this.#state.page, 1) }),
      turn: (page) => this.#to({ ...this.#state, page }),
      reset: () => this.#to(EVERYTHING),
    });
    for (const { article } of prompts) article.addEventListener('beforematch', () => this.#reveal(article));
  }

  apply(): void {
    const kind = shownKind();
    this.#arrange();
    const ofKind = this.#inOrder().filter((prompt) => kind === null || prompt.kind === kind);
    const variants = new Set(ofKind[0]?.table().variants);
    const state = {
      ...this.#state,
      kind: kindForAddress(),
      variants: this.#state.variants.filter((name) => variants.has(name)),
    };
    this.#chosen = ofKind.filter((prompt) => {
      const isChosen = showChosen(prompt, state);
      if (!isChosen) prompt.article.hidden = true;
      return isChosen;
    });
    const pages = Math.max(1, Math.ceil(this.#chosen.length / perPage()));
    this.#state = { ...state, page: Math.min(state.page, pages) };
    this.#showPage(this.#state.page);
    this.#controls.show(this.#state, { variants, pages, chosen: this.#chosen.length, of: ofKind.length });
  }

  /** Shows the prompt of the address, or what its filter leaves. */
  follow(): void {
    const wanted = filterOf(location.hash);
    if (wanted !== null) {
      this.#state = wanted;
      this.apply();
      const sheet = document.getElementById('images');
      if (sheet !== null) arriveAt(sheet);
      return;
    }
    if (location.hash === '') return;
    const target = document.getElementById(location.hash.slice(1));
    const article = target?.closest('#images article') ?? null;
    if (target === null || article === null) return;
    if (target.hidden || target.classList.contains('out')) this.#state = EVERYTHING;
    this.apply();
    this.#reveal(article);
    arriveAt(target, { block: 'center', inline: 'center' });
  }

  #inOrder(): readonly SheetPrompt[] {
    const places = new Map([...shownFacts().prompts.keys()].map((id, at) => [id, at]));
    const declared = (id: string): number => places.get(id) ?? 0;
    return this.#state.order === 'declared'
      ? this.#prompts.toSorted((a, b) => declared(a.name) - declared(b.name))
      : this.#prompts;
  }

  #arrange(): void {
    if (this.#arranged === this.#state.order) return;
    this.#arranged = this.#state.order;
    for (const head of this.#heads) {
      const ofKind = this.#inOrder().filter(({ kind }) => kind === head.dataset.kind);
      head.after(...ofKind.map(({ article }) => article));
    }
  }

  #showPage(page: number): void {
    const shown = new Set(page === 0 ? this.#chosen : this.#chosen.slice((page - 1) * perPage(), page * perPage()));
    for (const prompt of this.#chosen) {
      // Browsers that know `until-found` still find text there.
      if (shown.has(prompt)) {
        this.#prepare(prompt.article);
        prompt.article.removeAttribute('hidden');
      } else prompt.article.setAttribute('hidden', 'until-found');
    }
    for (const head of this.#heads) head.hidden = ![...shown].some(({ kind }) => kind === head.dataset.kind);
  }

  #to(wanted: FilterState): void {
    const isTurned = wanted.page !== this.#state.page;
    this.#state = wanted;
    this.apply();
    history.replaceState(null, '', hashOf(this.#state));
    if (isTurned) this.#bar.scrollIntoView({ block: 'start' });
  }

  #reveal(article: Element): void {
    const isHere = (prompt: SheetPrompt): boolean => prompt.article === article;
    if (!this.#chosen.some(isHere)) {
      this.#state = EVERYTHING;
      this.apply();
    }
    const at = this.#chosen.findIndex(isHere);
    if (at < 0 || this.#state.page === 0) return;
    this.#state = { ...this.#state, page: Math.floor(at / perPage()) + 1 };
    this.apply();
  }
}

interface FilterEvents {
  readonly narrow: (change: Partial<FilterState>) => void;
  readonly turn: (page: number) => void;
  readonly reset: () => void;
}

interface FilterControls {
  readonly show: (
    state: FilterState,
    filtered: {
      readonly variants: ReadonlySet<string>;
      readonly pages: number;
      readonly chosen: number;
      readonly of: number;
    },
  ) => void;
}

function filterControls(
  bar: HTMLElement,
  prompts: readonly SheetPrompt[],
  { narrow, turn, reset: resetAll }: FilterEvents,
): FilterControls {
  const order = selectOf('order', [
    ['', 'most changed first'],
    ['declared', 'as declared'],
  ]);
  order.addEventListener('change', () => narrow({ order: order.value }));
  const isOrdered = shownFacts().cells.some(({ likeness }) => likeness !== null && likeness.word !== 'unknown');
  const selects = choices(prompts).map(([key, values]) => {
    const select = selectOf(key, [['', `every ${key}`], ...values]);
    select.addEventListener('change', () => narrow({ [key]: select.value }));
    return { key, select };
  });
  const search = make('input', '');
  search.type = 'search';
  search.placeholder = 'prompt or its text';
  search.setAttribute('aria-label', 'prompt or its text');
  search.addEventListener('input', () => narrow({ prompt: search.value }));
  const reset = makeButton('Reset', '', () => {
    resetAll();
    search.focus();
  });
  const words = make('span', 'found');
  words.setAttribute('role', 'status');
  const chips = variantChips(candidatesOf(prompts), (variants) => narrow({ variants }));
  const [above, below] = [pager(turn), pager(turn)];
  const ordering = isOrdered ? [order] : [];
  bar.append(search, ...selects.map(({ select }) => select), ...ordering, reset, words, above.element, chips.element);
  bar.hidden = false;
  prompts.at(-1)?.article.after(below.element);
  return {
    show: (state, { variants, pages, chosen, of }) => {
      order.value = state.order;
      chips.show(state.variants, variants);
      for (const { key, select } of selects) select.value = state[key];
      if (search.value !== state.prompt) search.value = state.prompt;
      reset.disabled = hashOf({ ...state, kind: '', page: 1 }) === hashOf(EVERYTHING);
      words.textContent = chosen === of ? plural(of, 'prompt') : `${count(chosen)} of ${plural(of, 'prompt')}`;
      for (const control of [above, below]) control.show(state.page, pages);
    },
  };
}

function selectOf(name: string, values: Choices): HTMLSelectElement {
  const select = make('select', '', ...values.map(([value, words]) => new Option(words, value)));
  select.setAttribute('aria-label', name);
  return select;
}

/** One table for each kind: its prompts have the same variants and seeds. */
function tablesOf(prompts: readonly SheetPrompt[]): readonly ReturnType<SheetPrompt['table']>[] {
  const tables = new Map(prompts.toReversed().map(({ kind, table }) => [kind, table]));
  return [...tables.values()].toReversed().map((table) => table());
}

function candidatesOf(prompts: readonly SheetPrompt[]): readonly string[] {
  const candidates = tablesOf(prompts).flatMap(({ variants, baseline }) =>
    variants.filter((name) => name !== baseline),
  );
  return [...new Set(candidates)];
}

type Choices = readonly (readonly [value: string, words: string])[];

function choices(prompts: readonly SheetPrompt[]) {
  const { cells } = shownFacts();
  const takes = cells.flatMap((cell) => cell.takes);
  const levels = new Set(cells.map(({ level }) => level));
  const likenesses = new Set(cells.flatMap(({ likeness }) => likeness?.word ?? []));
  const outcomes = new Set(takes.map(({ outcome }) => outcome));
  const same = (values: readonly string[]): Choices => [...new Set(values)].map((value) => [value, value]);
  const likenessWords = { ...LIKENESS_WORDS, unknown: 'not compared' };
  const all = [
    ['seed', same(tablesOf(prompts).flatMap(({ seeds }) => seeds))],
    ['tag', same(prompts.flatMap(({ tags }) => tags))],
    ['level', LEVELS.filter((level) => levels.has(level)).map((level) => [level, LEVEL_WORDS[level].same])],
    ['outcome', [...outcomes].map((outcome) => [outcome, outcomeWords(outcome)])],
    [
      'likeness',
      ([...LIKENESSES, 'unknown'] as const)
        .filter((word) => likenesses.has(word))
        .map((word) => [word, likenessWords[word]]),
    ],
    ['failure', same(takes.flatMap(({ error }) => error?.code ?? []))],
  ] as const satisfies readonly (readonly [keyof FilterState, Choices])[];
  return all.filter(([, values]) => values.length > 1);
}

function pager(turn: (page: number) => void): { element: HTMLElement; show: (page: number, pages: number) => void } {
  let now = 1;
  const before = makeButton('Previous page', '', () => {
    turn(now - 1);
    if (before.disabled) after.focus();
  });
  const after = makeButton('Next page', '', () => {
    turn(now + 1);
    if (after.disabled) before.focus();
  });
  const all = makeButton('', '', () => turn(now === 0 ? 1 : 0));
  const words = make('span', '');
  const element = make('div', 'pager', before, words, after, all);
  return {
    element,
    show: (page, pages) => {
      now = page;
      element.hidden = pages === 1;
      before.disabled = page <= 1;
      after.disabled = page === 0 || page === pages;
      words.textContent = page === 0 ? 'all pages' : `${count(page)} of ${count(pages)}`;
      all.textContent = page === 0 ? 'Show pages' : 'Show all';
    },
  };
}
