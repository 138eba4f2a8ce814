import { type CsvCell, type CsvRow, cellsOfRow, readCsv } from '../../kit/csv-reader.ts';
import type { Diagnostic, Fault, Place, Refuse, Source } from '../../kit/diagnostic.ts';
import { PROMPT_FIELDS } from '../declare/prompts.ts';
import { lineAt, linesOf } from './lines.ts';
import { MOST_FAULTS, MOST_PROMPTS, nameTheText, type PromptRow } from './prompt-row.ts';

const MOST_COLUMNS = 1000;

interface Delimited {
  readonly file: string;
  readonly rows: readonly CsvRow[];
  readonly cellsOf: (row: CsvRow) => readonly CsvCell[];
}

export function readCsvRows(file: string, text: string, isMapped: boolean, diagnostics: Diagnostic[]): PromptRow[] {
  const otherwise = findOtherSeparator(lineAt(text, 0));
  if (otherwise !== null) {
    diagnostics.push({ place: { file, line: 1, column: 1 }, ...otherwise });
    return [];
  }
  const { rows, faults } = readCsv(text, { rows: MOST_PROMPTS + 2, faults: MOST_FAULTS });
  diagnostics.push(
    ...faults.map(({ line, column, cause, remedy }) => ({ place: { file, line, column }, cause, remedy })),
  );
  if (diagnostics.length > 0) return [];
  const cellsOf = (row: CsvRow) => cellsOfRow(text, row);
  return rowsBelow({ file, rows, cellsOf }, isMapped, 'quote a cell that holds commas', diagnostics);
}

/** Else the first fault that is told would be one of quotes, which stand between other separators than commas. */
function findOtherSeparator(header: string): Fault | null {
  if (/^"?sep=/i.test(header)) {
    return { cause: 'the first line is for Excel and names no columns', remedy: 'delete this line' };
  }
  const [separator] = header.includes(',') ? [] : (/[;\t]/.exec(header) ?? []);
  if (separator === undefined) return null;
  const name = separator === ';' ? 'semicolons' : 'tabs';
  return { cause: `the columns are separated by ${name}`, remedy: 'separate columns by commas' };
}

/** As text/tab-separated-values: a quote is an ordinary character, and no cell contains a tab or a line end. */
export function readTsvRows(file: string, text: string, isMapped: boolean, diagnostics: Diagnostic[]): PromptRow[] {
  const rows: CsvRow[] = [];
  for (const { line, at, content } of linesOf(text)) {
    if (content === '') continue;
    if (rows.length >= MOST_PROMPTS + 2) break;
    rows.push({ line, at, width: content.split('\t').length });
  }
  const cellsOf = ({ line, at, width }: CsvRow) => {
    let column = 1;
    return lineAt(text, at)
      .split('\t', width)
      .map((cell): CsvCell => {
        const placed = { text: cell, line, column };
        column += cell.length + 1;
        return placed;
      });
  };
  const remedy = 'write one cell for each column, with a tab between two';
  return rowsBelow({ file, rows, cellsOf }, isMapped, remedy, diagnostics);
}

function rowsBelow(
  { file, rows: [header, ...body], cellsOf }: Delimited,
  isMapped: boolean,
  remedy: string,
  diagnostics: Diagnostic[],
): PromptRow[] {
  if (header === undefined) return [];
  const head = cellsOf(header);
  checkHeader(file, head, isMapped, diagnostics);
  const table = new DelimitedTable(
    file,
    head.map(({ text }) => text),
    cellsOf,
  );
  const rows: PromptRow[] = [];
  for (const [index, row] of body.entries()) {
    if (row.width === header.width) {
      rows.push(new DelimitedRow(table, row, index + 1));
      continue;
    }
    const cause = `this row has ${row.width} ${row.width === 1 ? 'cell' : 'cells'}, the header ${header.width}`;
    diagnostics.push({ place: { file, line: row.line, column: 1 }, cause, remedy });
    if (diagnostics.length >= MOST_FAULTS) break;
  }
  return rows;
}

class DelimitedTable {
  readonly file: string;
  readonly columns: readonly string[];
  readonly #indexOf: ReadonlyMap<string, number>;
  readonly #cellsOf: Delimited['cellsOf'];
  /** The last row with its cells: its columns are asked for one after the other. */
  #last: { readonly row: CsvRow; readonly cells: readonly CsvCell[] } | null = null;

  constructor(file: string, columns: readonly string[], cellsOf: Delimited['cellsOf']) {
    this.file = file;
    this.columns = columns;
    this.#indexOf = new Map(columns.map((name, index) => [name, index]));
    this.#cellsOf = cellsOf;
  }

  cell(row: CsvRow, column: string): CsvCell | undefined {
    if (this.#last?.row !== row) this.#last = { row, cells: this.#cellsOf(row) };
    return this.#last.cells[this.#indexOf.get(column) ?? -1];
  }
}

/** Keeps its place, not its cells: a file has up to 200,000 rows. */
class DelimitedRow implements PromptRow {
  readonly #table: DelimitedTable;
  readonly #row: CsvRow;
  readonly number: number;

  constructor(table: DelimitedTable, row: CsvRow, number: number) {
    this.#table = table;
    this.#row = row;
    this.number = number;
  }

  get place(): Place {
    return { file: this.#table.file, line: this.#row.line, column: 1 };
  }

  get columns(): readonly string[] {
    return this.#table.columns;
  }

  value(column: string): string | undefined {
    return this.#table.cell(this.#row, column)?.text || undefined;
  }

  sourceOf(column: string): Source {
    return { place: this.#placeAt(column), setBy: null, filled: false };
  }

  refuse(column: string, cause: string, remedy: string): Diagnostic {
    return { place: this.#placeAt(column), cause, remedy };
  }

  #placeAt(column: string): Place {
    const cell = this.#table.cell(this.#row, column);
    return cell === undefined ? this.place : placeOf(this.#table.file, cell);
  }
}

function checkHeader(file: string, header: readonly CsvCell[], isMapped: boolean, diagnostics: Diagnostic[]): void {
  const names = header.map(({ text }) => text);
  const at = (cell: CsvCell): Refuse => {
    return (cause, remedy) => diagnostics.push({ place: placeOf(file, cell), cause, remedy });
  };
  const beyond = header[MOST_COLUMNS];
  if (beyond !== undefined) {
    at(beyond)(`more than ${MOST_COLUMNS} columns`, 'end each row with a line end');
    return;
  }
  for (const [index, cell] of header.entries()) {
    const { text } = cell;
    const plain = text.trim().toLowerCase();
    if (plain === '' || text === '__proto__') at(cell)('the column has no valid name', 'name the column or remove it');
    else if (names.indexOf(text) < index) at(cell)(`the column "${text}" occurs twice`, 'keep one of them');
    else if (!isMapped && !isField(text) && isField(plain))
      at(cell)(`unknown column "${text}"`, `did you mean "${plain}"?`);
  }
  const [first] = header;
  if (isMapped || first === undefined || diagnostics.length > 0 || names.includes('text')) return;
  at(first)('no column "text"', nameTheText(names));
}

function isField(name: string): boolean {
  return PROMPT_FIELDS.some((field) => field === name);
}

function placeOf(file: string, { line, column }: { readonly line: number; readonly column: number }): Place {
  return { file, line, column };
}
