import { takeName } from '../../kit/names.ts';
import { flagWords, outcomeWords } from '../../kit/outcome-words.ts';
import { duration } from '../../kit/wording.ts';
import { closable, make, within } from '../../markup/elements.ts';
import type { TakeData } from '../../markup/page-data.ts';
import { LEVEL_WORDS } from '../../report/level-words.ts';
import { type CellFacts, cellFacts } from './page-facts.ts';

/** Returns what opens the dialog with a cell, by its number. */
export function openingTakes(dialog: HTMLDialogElement): (cell: number) => void {
  const title = within(dialog, 'h2 span', HTMLElement);
  const content = within(dialog, '.content', HTMLElement);
  closable(dialog);
  return (number) => {
    const cell = cellFacts(number);
    if (cell === null) return;
    title.textContent = `${cell.prompt}, ${cell.variant}, seed ${cell.seed}`;
    content.replaceChildren(
      cell.takes.length === 0 ? make('p', 'empty', 'No take was sent.') : takeTable(cell, cell.takes),
    );
    dialog.showModal();
  };
}

/** Takes are columns; a row without any value is left out. */
export function takeTable(cell: CellFacts, takes: readonly TakeData[]): HTMLTableElement {
  const rows = rowsOf(cell)
    .map(([name, words]) => [name, takes.map(words)] as const)
    .filter(([, values]) => values.some((value) => value !== ''));
  const head = make('tr', '', make('td', ''), ...takes.map((take) => columnHead(takeName(take))));
  const body = rows.map(([name, values]) => {
    const first = make('th', '', name);
    first.scope = 'row';
    return make('tr', '', first, ...values.map((value) => make('td', '', value)));
  });
  return make('table', 'plain take-table', make('thead', '', head), make('tbody', '', ...body));
}

function columnHead(words: string): HTMLTableCellElement {
  const head = make('th', '', words);
  head.scope = 'col';
  return head;
}

type TakeRow = readonly [name: string, words: (take: TakeData) => string];

function rowsOf(cell: CellFacts): readonly TakeRow[] {
  const times = Object.keys(cell.takes[0]?.times ?? {}).map(
    (name): TakeRow => [
      name,
      ({ times }) => {
        const ms = times[name] ?? null;
        return ms === null ? '' : duration(ms, cell.unit);
      },
    ],
  );
  return [
    ['outcome', ({ outcome }) => outcomeWords(outcome)],
    ...times,
    ['HTTP status', ({ httpStatus }) => (httpStatus === null ? '' : String(httpStatus))],
    ['attempts', ({ attempts }) => (attempts === 0 ? '' : String(attempts))],
    ['request id', ({ requestId }) => requestId ?? ''],
    ['flags', ({ flags }) => flags.map(flagWords).join(', ')],
    ['error', ({ error }) => (error === null ? '' : error.code)],
    ['message', ({ error }) => (error === null ? '' : error.message)],
    ['sha256', ({ output }) => (output === null ? '' : `${cell.outputs[output]?.sha256 ?? ''}…`)],
    ['against the usual output', ({ output }) => levelWords(cell, output)],
  ];
}

function levelWords({ outputs }: CellFacts, output: number | null): string {
  const level = output === null || outputs.length < 2 ? null : outputs[output]?.level;
  return level === null || level === undefined ? '' : LEVEL_WORDS[level].same;
}
