import { plural } from '../../../text/wording.ts';
import { allWithin, make, makeButton, within } from './elements.ts';
import { cellFacts } from './page-facts.ts';

/** What the variants gave for a prompt and seed. */
interface SheetRow {
  readonly prompt: HTMLElement;
  readonly row: HTMLTableRowElement;
  readonly name: string;
  readonly seed: string;
}

/** Takes content from the contact sheet; arrow keys go on. @param prepare makes a prompt of the sheet ready to copy */
export function switchableStrip(strip: HTMLElement, prepare: (article: HTMLElement) => void): void {
  const rows = rowsOf(strip.dataset.kind ?? '');
  if (rows.length < 2) return;
  const title = within(strip, 'h4', HTMLElement);
  const text = within(strip, '.text', HTMLElement);
  const figures = allWithin(strip, 'figure .shown', HTMLElement);
  const columns = columnsOf(strip, rows[0]);
  // What the page shows first may be larger than in the sheet.
  const first = figures.map((figure) => [...figure.childNodes]);
  const start = rows.findIndex(({ name, seed }) => name === strip.dataset.prompt && seed === strip.dataset.seed);
  let now = start;

  const prompts = choice('Prompt', [...new Set(rows.map(({ name }) => name))]);
  const seeds = choice('Seed', [...new Set(rows.map(({ seed }) => seed))]);
  const show = (to: number): void => {
    now = (to + rows.length) % rows.length;
    const shown = rows[now];
    if (shown === undefined) return;
    prompts.select.value = shown.name;
    seeds.select.value = shown.seed;
    title.textContent = `${shown.name}, seed ${shown.seed}`;
    text.textContent = within(shown.prompt, '.text', HTMLElement).textContent;
    text.title = text.textContent;
    if (now !== start) prepare(shown.prompt);
    for (const [at, figure] of figures.entries()) {
      if (now === start) figure.replaceChildren(...(first[at] ?? []));
      else fill(figure, shown.row.cells[columns[at] ?? -1] ?? null);
    }
  };
  const choose = (): void => {
    const wanted = rows.findIndex(({ name, seed }) => name === prompts.select.value && seed === seeds.select.value);
    show(wanted);
  };
  for (const { select } of [prompts, seeds]) select.addEventListener('change', choose);
  const before = makeButton('Previous', '', () => show(now - 1));
  const after = makeButton('Next', '', () => show(now + 1));
  // The controls show the title to those who see them.
  title.classList.add('quiet');
  title.after(make('div', 'switch', prompts.label, seeds.label, before, after));
  strip.addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    const at = figures.findIndex((figure) => figure.contains(document.activeElement));
    show(now + (event.key === 'ArrowRight' ? 1 : -1));
    // The focused image was replaced.
    figures[at]?.querySelector<HTMLElement>('button.pick')?.focus();
  });
  show(now);
}

function rowsOf(kind: string): readonly SheetRow[] {
  return allWithin(document, '#images article', HTMLElement)
    .filter(({ dataset }) => dataset.kind === kind)
    .flatMap((prompt) =>
      allWithin(prompt, 'tbody tr', HTMLTableRowElement).map((row) => {
        return { prompt, row, name: prompt.dataset.prompt ?? '', seed: row.dataset.seed ?? '' };
      }),
    );
}

function choice(name: string, values: readonly string[]): { label: HTMLLabelElement; select: HTMLSelectElement } {
  const select = make('select', '', ...values.map((value) => new Option(value, value)));
  return { label: make('label', '', `${name} `, select), select };
}

/** Where the contact sheet has what a figure shows: first images have an order of their own. */
function columnsOf(strip: HTMLElement, row: SheetRow | undefined): readonly number[] {
  const table = row?.row.closest('table') ?? null;
  const heads = table === null ? [] : allWithin(table, 'thead td, thead th', HTMLElement);
  const names = heads.map((head) => (head.classList.contains('input') ? null : (head.textContent?.trim() ?? '')));
  return allWithin(strip, 'figure', HTMLElement).map(({ dataset }) => names.indexOf(dataset.variant ?? null));
}

function fill(figure: HTMLElement, place: HTMLElement | null): void {
  const shown = place?.querySelector('.output, .blank') ?? null;
  const copy = shown?.cloneNode(true);
  const content = copy instanceof HTMLElement ? copy : make('span', 'blank', 'not sent');
  content.querySelector('.quiet-button')?.remove();
  for (const media of content.querySelectorAll('[id]')) media.removeAttribute('id');
  for (const film of content.querySelectorAll('.playing')) film.classList.remove('playing');
  const others = (cellFacts(Number((place?.id ?? '').slice('cell-'.length) || -1))?.outputs.length ?? 0) - 1;
  figure.replaceChildren(content, ...(others > 0 ? [make('small', 'others-of', plural(others, 'other output'))] : []));
}
