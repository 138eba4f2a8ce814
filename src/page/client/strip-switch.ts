import { plural } from '../../kit/wording.ts';
import { allWithin, make, makeButton, within } from '../../markup/elements.ts';
import { compareChange } from '../../report/level-words.ts';
import { type CellFacts, cellFacts } from './page-facts.ts';

/** Shows content of the contact sheet, the most changed first. @param prepare makes a prompt ready to copy */
export function switchableStrip(strip: HTMLElement, prepare: (article: HTMLElement) => void): void {
  const rows = rowsByChange(strip.dataset.kind ?? '');
  if (rows.length < 2) return;
  const title = within(strip, 'h4', HTMLElement);
  const text = within(strip, '.text', HTMLElement);
  const figures = allWithin(strip, 'figure', HTMLElement).flatMap((figure) => {
    const shown = figure.querySelector<HTMLElement>('.shown');
    return shown === null ? [] : [{ shown, variant: figure.dataset.variant ?? null, first: [...shown.childNodes] }];
  });
  // What the page shows first may be larger than in the sheet.
  const start = rows.findIndex(
    ({ prompt, seed }) => prompt === strip.dataset.prompt && String(seed) === strip.dataset.seed,
  );
  let now = start;

  const choice = make('select', '', ...rows.map((row, at) => new Option(nameOf(row), String(at))));
  choice.setAttribute('aria-label', 'Prompt and seed');
  const place = make('output', '');
  const mark = marker(strip, rows, (at) => show(at));
  const show = (to: number): void => {
    now = (to + rows.length) % rows.length;
    const row = rows[now];
    if (row === undefined) return;
    choice.value = String(now);
    place.textContent = `${now + 1} of ${rows.length}`;
    title.textContent = nameOf(row);
    text.textContent = within(row.article, '.text', HTMLElement).textContent;
    text.title = text.textContent;
    mark(now);
    if (now !== start) prepare(row.article);
    for (const { shown, variant, first } of figures) {
      if (now === start) shown.replaceChildren(...first);
      else shown.replaceChildren(...contentOf(row, variant, strip.classList.contains('varies') ? MOST_REPEATS : 1));
    }
  };
  choice.addEventListener('change', () => show(Number(choice.value)));
  const before = makeButton('◂', '', () => show(now - 1));
  before.setAttribute('aria-label', 'Previous');
  const after = makeButton('▸', '', () => show(now + 1));
  after.setAttribute('aria-label', 'Next');
  // The controls show the title to those who see them.
  title.classList.add('quiet');
  title.after(make('div', 'switch', choice, before, place, after));
  strip.addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    const at = figures.findIndex(({ shown }) => shown.contains(document.activeElement));
    show(now + (event.key === 'ArrowRight' ? 1 : -1));
    figures[at]?.shown.querySelector<HTMLElement>('button.pick')?.focus();
  });
  show(now);
}

function nameOf({ prompt, seed }: ShownRow): string {
  return `${prompt}, seed ${seed}`;
}

/** Marks the links to the shown row and the squares of its cells; a link shows its row. */
function marker(strip: HTMLElement, rows: readonly ShownRow[], show: (row: number) => void): (row: number) => void {
  const links = allWithin(strip, '.row-links a', HTMLAnchorElement).map((link) => {
    const { prompt, seed } = link.dataset;
    return { link, at: rows.findIndex((row) => row.prompt === prompt && String(row.seed) === seed) };
  });
  for (const { link, at } of links) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      show(at);
    });
  }
  const squares = allWithin(strip, '.squares [data-cell]', SVGElement);
  return (row) => {
    for (const { link, at } of links) {
      if (at === row) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    const numbers = new Set(rows[row]?.cells.map(({ number }) => String(number)));
    for (const square of squares) square.classList.toggle('on', numbers.has(square.dataset.cell ?? ''));
  };
}

function placeOf({ number }: CellFacts): HTMLElement | null {
  return document.getElementById(`cell-${number}`);
}

const MOST_REPEATS = 3;

/** Copied from the contact sheet. @param variant null: the input image */
function contentOf({ article, seed, cells }: ShownRow, variant: string | null, most: number): readonly Node[] {
  const cell = cells.find(({ variant: name }) => name === variant) ?? null;
  const input = () => article.querySelector(`tr[data-seed="${seed}"] td.input`);
  const place = variant === null ? input() : cell === null ? null : placeOf(cell);
  const copies = [...(place?.querySelectorAll('.trio, .output, .blank') ?? [])]
    .filter((part) => part.parentElement?.closest('.trio, .output') === null)
    .slice(0, most)
    .flatMap((part) => {
      const copy = part.cloneNode(true);
      return copy instanceof HTMLElement ? [withoutPlace(copy)] : [];
    });
  const content = copies.length === 0 ? [make('span', 'blank', 'not sent')] : copies;
  if (most > 1) return content;
  const others = (cell?.outputs.length ?? 0) - 1;
  const scale = place?.querySelector('.scale')?.cloneNode(true);
  return [
    ...content,
    ...(scale === undefined ? [] : [scale]),
    ...(others > 0 && cell?.level !== 'pixel'
      ? [make('small', 'others-of', `${plural(others, 'other output')} in repeats`)]
      : []),
  ];
}

function withoutPlace(copy: HTMLElement): HTMLElement {
  copy.querySelector('.quiet-button')?.remove();
  for (const media of copy.querySelectorAll('[id]')) media.removeAttribute('id');
  for (const film of copy.querySelectorAll('.playing')) film.classList.remove('playing');
  return copy;
}

interface ShownRow {
  readonly article: HTMLElement;
  readonly prompt: string;
  readonly seed: number;
  readonly cells: readonly CellFacts[];
}

const known = new Map<string, readonly ShownRow[]>();

/** All of a kind, the most changed first; those that were not compared last, in the order of the suite. */
export function rowsByChange(kind: string): readonly ShownRow[] {
  const knownRows = known.get(kind);
  if (knownRows !== undefined) return knownRows;
  const rows = allWithin(document, '#images article', HTMLElement)
    .filter(({ dataset }) => dataset.kind === kind)
    .flatMap(rowsIn)
    .sort((a, b) => hasChanged(b) - hasChanged(a) || byChange(a.cells, b.cells) || a.number - b.number);
  known.set(kind, rows);
  return rows;
}

/** 1 where an output is not that of the stored baseline, else 0. */
function hasChanged({ cells }: ShownRow): number {
  return Number(cells.some((cell) => placeOf(cell)?.querySelector('.trio')));
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
