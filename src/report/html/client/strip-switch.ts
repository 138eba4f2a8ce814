import { plural } from '../../../text/wording.ts';
import { ssimWords } from '../../words/likeness-words.ts';
import { mostChanged, rowsByChange, type ShownRow } from './change-order.ts';
import { allWithin, make, makeButton, within } from './elements.ts';
import type { CellFacts } from './page-facts.ts';

/** As many small images stand below the large ones. */
const MOST_SMALL = 12;

/**
 * Takes content from the contact sheet, the most changed prompt and seed first; arrow keys go on.
 * @param prepare makes a prompt of the sheet ready to copy
 */
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
  const small = smallImages(rows, prepare, (at) => show(at));
  const show = (to: number): void => {
    now = (to + rows.length) % rows.length;
    const row = rows[now];
    if (row === undefined) return;
    choice.value = String(now);
    place.textContent = `${now + 1} of ${rows.length}`;
    title.textContent = nameOf(row);
    text.textContent = within(row.article, '.text', HTMLElement).textContent;
    text.title = text.textContent;
    small?.mark(now);
    if (now !== start) prepare(row.article);
    for (const { shown, variant, first } of figures) {
      if (now === start) shown.replaceChildren(...first);
      else shown.replaceChildren(...contentOf(row, variant));
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
  if (small !== null) strip.append(small.element);
  strip.addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    const at = figures.findIndex(({ shown }) => shown.contains(document.activeElement));
    show(now + (event.key === 'ArrowRight' ? 1 : -1));
    // The focused image was replaced.
    figures[at]?.shown.querySelector<HTMLElement>('button.pick')?.focus();
  });
  show(now);
}

function nameOf({ prompt, seed }: ShownRow): string {
  return `${prompt}, seed ${seed}`;
}

interface SmallImages {
  readonly element: HTMLElement;
  readonly mark: (row: number) => void;
}

/** A small image of each of the most changed cells; null where none was compared. */
function smallImages(
  rows: readonly ShownRow[],
  prepare: (article: HTMLElement) => void,
  show: (row: number) => void,
): SmallImages | null {
  const buttons = rows.slice(0, MOST_SMALL).flatMap((row, at) => {
    const cell = mostChanged(row.cells);
    if (cell?.likeness == null || cell.likeness.word === 'unknown') return [];
    prepare(row.article);
    const image = placeOf(cell)?.querySelector<HTMLImageElement | HTMLVideoElement>('.image') ?? null;
    const copy = make('img', '');
    copy.alt = '';
    copy.src = image instanceof HTMLVideoElement ? image.poster : (image?.src ?? '');
    const ssim = ssimWords(cell.likeness.ssim);
    const button = makeButton('', '', () => show(at));
    button.append(copy, make('span', '', ssim?.replace('SSIM ', '') ?? ''));
    button.setAttribute('aria-label', [nameOf(row), ssim].filter((words) => words !== null).join(', '));
    return image === null ? [] : [{ at, button }];
  });
  if (buttons.length < 2) return null;
  const element = make(
    'div',
    'most-changed',
    make('span', '', 'Most changed first'),
    ...buttons.map(({ button }) => button),
  );
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', 'Most changed first');
  return {
    element,
    mark: (row) => {
      for (const { at, button } of buttons) button.setAttribute('aria-pressed', String(at === row));
    },
  };
}

function placeOf({ number }: CellFacts): HTMLElement | null {
  return document.getElementById(`cell-${number}`);
}

/** Copied from the contact sheet. @param variant null: the input image */
function contentOf({ article, cells }: ShownRow, variant: string | null): readonly Node[] {
  const cell = cells.find((each) => each.variant === variant) ?? null;
  const place = variant === null ? article.querySelector('td.input') : cell === null ? null : placeOf(cell);
  const copy = place?.querySelector('.output, .blank')?.cloneNode(true);
  const content = copy instanceof HTMLElement ? copy : make('span', 'blank', 'not sent');
  content.querySelector('.quiet-button')?.remove();
  for (const media of content.querySelectorAll('[id]')) media.removeAttribute('id');
  for (const film of content.querySelectorAll('.playing')) film.classList.remove('playing');
  const others = (cell?.outputs.length ?? 0) - 1;
  return [content, ...(others > 0 ? [make('small', 'others-of', plural(others, 'other output'))] : [])];
}
