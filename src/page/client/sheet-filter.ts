import { count, plural } from '../../kit/wording.ts';
import { allWithin, make, makeButton } from '../../markup/elements.ts';
import { LEVELS, LIKENESSES } from '../../media/compare/level.ts';
import { LEVEL_WORDS } from '../../report/words/level-words.ts';
import { LIKENESS_WORDS } from '../../report/words/likeness-words.ts';
import { outcomeWords } from '../../report/words/outcome-words.ts';
import { arriveAt } from './arrive.ts';
import { kindForAddress, onKind, shownKind } from './kind-tabs.ts';
import { shownFacts } from './page-facts.ts';
import {
  EVERYTHING,
  type FilterState,
  filterOf,
  hashOf,
  type SheetPrompt,
  sheetPrompts,
  showChosen,
} from './sheet-rows.ts';
import { variantChips } from './variant-chips.ts';

const PER_PAGE = 12;

type Choice = 'seed' | 'tag' | 'level' | 'outcome' | 'likeness' | 'failure' | 'order';

/** The address holds filter and page, so that a view can be linked. @param prepare makes a part of the sheet ready */
export function filterSheet(bar: HTMLElement, prepare: (article: HTMLElement) => void): void {
  const prompts = sheetPrompts();
  if (prompts.length === 0) return;
  const heads = allWithin(document, '#images h3[data-kind]', HTMLElement);
  let state = filterOf(location.hash) ?? EVERYTHING;
  let chosen: readonly SheetPrompt[] = prompts;

  const order = make('select', '', new Option('most changed first', ''), new Option('as declared', 'declared'));
  order.setAttribute('aria-label', 'order');
  order.addEventListener('change', () => to({ ...state, order: order.value, page: Math.min(state.page, 1) }));
  const isOrdered = shownFacts()
    .values()
    .likenesses.some((word) => word !== 'unknown');
  const declared = shownFacts().placeOfPrompt;
  const inOrder = (): readonly SheetPrompt[] =>
    state.order === 'declared' ? prompts.toSorted((a, b) => declared(a.name) - declared(b.name)) : prompts;
  let ordered = '';
  const arrange = (): void => {
    if (ordered === state.order) return;
    ordered = state.order;
    for (const head of heads) {
      let before: HTMLElement = head;
      for (const { article, kind } of inOrder()) {
        if (kind !== head.dataset.kind) continue;
        before.after(article);
        before = article;
      }
    }
  };

  const words = make('span', 'found');
  words.setAttribute('role', 'status');
  const selects = choices(prompts).map(([key, name, values]) => {
    const select = make(
      'select',
      '',
      new Option(`every ${name}`, ''),
      ...values.map(([value, said]) => new Option(said, value)),
    );
    select.setAttribute('aria-label', name);
    select.addEventListener('change', () => to({ ...state, [key]: select.value, page: Math.min(state.page, 1) }));
    return { key, select };
  });
  const chips = variantChips(candidatesOf(prompts), (variants) =>
    to({ ...state, variants, page: Math.min(state.page, 1) }),
  );
  const search = make('input', '');
  search.type = 'search';
  search.placeholder = 'prompt or its text';
  search.setAttribute('aria-label', 'prompt or its text');
  search.addEventListener('input', () => to({ ...state, prompt: search.value, page: Math.min(state.page, 1) }));
  const reset = makeButton('Reset', '', () => {
    to(EVERYTHING);
    // A disabled button loses the focus.
    search.focus();
  });
  const pagers = [0, 1].map(() => pager((page) => to({ ...state, page })));

  const apply = (): void => {
    const kind = shownKind();
    arrange();
    order.value = state.order;
    const ofKind = inOrder().filter((prompt) => kind === null || prompt.kind === kind);
    const variants = new Set(ofKind[0]?.table().variants);
    state = { ...state, kind: kindForAddress(), variants: state.variants.filter((name) => variants.has(name)) };
    chips.show(state.variants, variants);
    chosen = ofKind.filter((prompt) => {
      const isChosen = showChosen(prompt, state);
      if (!isChosen) prompt.article.hidden = true;
      return isChosen;
    });
    const pages = Math.max(1, Math.ceil(chosen.length / PER_PAGE));
    if (state.page > pages) state = { ...state, page: pages };
    const shown = new Set(state.page === 0 ? chosen : chosen.slice((state.page - 1) * PER_PAGE, state.page * PER_PAGE));
    for (const prompt of chosen) {
      // Browsers that know `until-found` still find text there.
      if (shown.has(prompt)) {
        prepare(prompt.article);
        prompt.article.removeAttribute('hidden');
      } else prompt.article.setAttribute('hidden', 'until-found');
    }
    for (const head of heads) head.hidden = ![...shown].some(({ kind }) => kind === head.dataset.kind);
    for (const { key, select } of selects) select.value = state[key];
    if (search.value !== state.prompt) search.value = state.prompt;
    reset.disabled = hashOf({ ...state, kind: '', page: 1 }) === hashOf(EVERYTHING);
    words.textContent =
      chosen.length === ofKind.length
        ? plural(ofKind.length, 'prompt')
        : `${count(chosen.length)} of ${plural(ofKind.length, 'prompt')}`;
    for (const each of pagers) each.show(state.page, pages);
  };

  const to = (wanted: FilterState): void => {
    const isTurned = wanted.page !== state.page;
    state = wanted;
    apply();
    history.replaceState(null, '', hashOf(state));
    if (isTurned) bar.scrollIntoView({ block: 'start' });
  };

  /** Removes a filter that hides the prompt. */
  const reveal = (article: Element | null): void => {
    const isHere = (each: SheetPrompt): boolean => each.article === article;
    if (!chosen.some(isHere)) {
      state = EVERYTHING;
      apply();
    }
    const at = chosen.findIndex(isHere);
    if (at < 0 || state.page === 0) return;
    state = { ...state, page: Math.floor(at / PER_PAGE) + 1 };
    apply();
  };

  const follow = (): void => {
    const wanted = filterOf(location.hash);
    if (wanted !== null) {
      state = wanted;
      apply();
      const sheet = document.getElementById('images');
      if (sheet !== null) arriveAt(sheet);
      return;
    }
    if (location.hash === '') return;
    const target = document.getElementById(location.hash.slice(1));
    const article = target?.closest('#images article') ?? null;
    if (target === null || article === null) return;
    if (target.hidden || target.classList.contains('out')) state = EVERYTHING;
    apply();
    reveal(article);
    arriveAt(target, { block: 'center', inline: 'center' });
  };

  for (const { article } of prompts) article.addEventListener('beforematch', () => reveal(article));
  bar.append(
    search,
    ...selects.map(({ select }) => select),
    ...(isOrdered ? [order] : []),
    reset,
    words,
    ...pagers.slice(0, 1).map(({ element }) => element),
    chips.element,
  );
  bar.hidden = false;
  const [, below] = pagers;
  if (below !== undefined) prompts.at(-1)?.article.after(below.element);
  apply();
  follow();
  addEventListener('hashchange', follow);
  onKind(apply);
}

/** The variants of all kinds that stand beside a baseline variant. Prompts of a kind have the same variants. */
function candidatesOf(prompts: readonly SheetPrompt[]): readonly string[] {
  const tables = new Map(prompts.toReversed().map(({ kind, table }) => [kind, table]));
  const all = [...tables.values()].toReversed().map((table) => table());
  return [...new Set(all.flatMap(({ variants, baseline }) => variants.filter((name) => name !== baseline)))];
}

/** Only what has more than one value. */
function choices(
  prompts: readonly SheetPrompt[],
): readonly (readonly [key: Choice, name: string, values: readonly (readonly [value: string, words: string])[]])[] {
  // Prompts of a kind have the same variants and seeds.
  const tables = new Map(prompts.toReversed().map((prompt) => [prompt.kind, prompt.table]));
  const first = [...tables.values()].toReversed().map((table) => table());
  const same = (values: Iterable<string>) => [...new Set(values)].map((value) => [value, value] as const);
  const { levels, outcomes, likenesses, failures } = shownFacts().values();
  const all = [
    ['seed', 'seed', same(first.flatMap(({ seeds }) => seeds))],
    ['tag', 'tag', same(prompts.flatMap(({ tags }) => tags))],
    [
      'level',
      'level',
      LEVELS.filter((level) => levels.includes(level)).map((level) => [level, LEVEL_WORDS[level].same] as const),
    ],
    ['outcome', 'outcome', outcomes.map((outcome) => [outcome, outcomeWords(outcome)] as const)],
    [
      'likeness',
      'likeness',
      [...LIKENESSES, 'unknown' as const]
        .filter((word) => likenesses.includes(word))
        .map((word) => [word, word === 'unknown' ? 'not compared' : LIKENESS_WORDS[word]] as const),
    ],
    ['failure', 'failure', same(failures)],
  ] as const;
  return all.filter(([, , values]) => values.length > 1);
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
      words.textContent = page === 0 ? 'all pages' : `page ${count(page)} of ${count(pages)}`;
      all.textContent = page === 0 ? 'Show pages' : 'Show all';
    },
  };
}
