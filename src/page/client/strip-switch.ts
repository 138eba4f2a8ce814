import { plural } from '../../kit/wording.ts';
import { allWithin, make, makeButton, within } from '../../markup/elements.ts';
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

/** All of a kind, as the page ranks them: the most changed first. */
export function rowsByChange(kind: string): readonly ShownRow[] {
  const rows =
    known.get(kind) ??
    allWithin(document, `#images article[data-kind="${kind}"] tr[data-rank]`, HTMLElement)
      .toSorted((a, b) => Number(a.dataset.rank) - Number(b.dataset.rank))
      .flatMap(shownRow);
  known.set(kind, rows);
  return rows;
}

function shownRow(row: HTMLElement): readonly ShownRow[] {
  const article = row.closest<HTMLElement>('article');
  const cells = allWithin(row, 'td[id]', HTMLElement).flatMap(
    ({ id }) => cellFacts(Number(id.slice('cell-'.length))) ?? [],
  );
  if (article === null || cells.length === 0) return [];
  return [{ article, prompt: article.dataset.prompt ?? '', seed: Number(row.dataset.seed), cells }];
}
