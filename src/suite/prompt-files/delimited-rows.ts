import { PROMPT_FIELDS } from '../declare/prompts.ts';
import { type CsvCell, readCsv } from '../document/csv-reader.ts';
import type { Diagnostic, Place, Refuse } from '../document/diagnostic.ts';
import { MOST_FAULTS, MOST_PROMPTS, nameTheText, type PromptRow } from './prompt-row.ts';

/** Columns that a header may have. */
const MOST_COLUMNS = 1000;

/** The rows of comma-separated values below a header. @param isMapped whether a mapping says what the columns mean */
export function readCsvRows(file: string, text: string, isMapped: boolean, diagnostics: Diagnostic[]): PromptRow[] {
  const { rows, faults } = readCsv(text, { rows: MOST_PROMPTS + 2, faults: MOST_FAULTS });
  diagnostics.push(
    ...faults.map(({ line, column, cause, remedy }) => ({ place: { file, line, column }, cause, remedy })),
  );
  return diagnostics.length > 0 ? [] : rowsBelow(file, rows, isMapped, 'quote a cell that holds commas', diagnostics);
}

/**
 * The rows of tab-separated values below a header, as text/tab-separated-values has them: a quote is a character like any other, and no
 * cell holds a tab or a line end.
 */
export function readTsvRows(file: string, text: string, isMapped: boolean, diagnostics: Diagnostic[]): PromptRow[] {
  const rows: CsvCell[][] = [];
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line === '') continue;
    if (rows.length >= MOST_PROMPTS + 2) break;
    let column = 1;
    rows.push(
      line.split('\t').map((cell) => {
        const at = { text: cell, line: index + 1, column };
        column += cell.length + 1;
        return at;
      }),
    );
  }
  return rowsBelow(file, rows, isMapped, 'write one cell for each column, with a tab between two', diagnostics);
}

function rowsBelow(
  file: string,
  [header, ...body]: readonly (readonly CsvCell[])[],
  isMapped: boolean,
  remedy: string,
  diagnostics: Diagnostic[],
): PromptRow[] {
  if (header === undefined) return [];
  checkHeader(file, header, isMapped, diagnostics);
  const columns = header.map(({ text }) => text);
  const indexOf = new Map(columns.map((name, index) => [name, index]));
  const rows: PromptRow[] = [];
  for (const [index, cells] of body.entries()) {
    const [first] = cells;
    if (first === undefined) continue;
    if (cells.length === columns.length) {
      rows.push(rowOf(file, columns, indexOf, cells, index + 1));
      continue;
    }
    const cause = `this row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, the header ${columns.length}`;
    diagnostics.push({ place: placeOf(file, first), cause, remedy });
    if (diagnostics.length >= MOST_FAULTS) break;
  }
  return rows;
}

function rowOf(
  file: string,
  columns: readonly string[],
  indexOf: ReadonlyMap<string, number>,
  cells: readonly CsvCell[],
  number: number,
): PromptRow {
  const start = placeOf(file, cells[0] ?? { line: 1, column: 1 });
  const cellOf = (column: string) => cells[indexOf.get(column) ?? -1];
  const placeAt = (column: string) => {
    const cell = cellOf(column);
    return cell === undefined ? start : placeOf(file, cell);
  };
  return {
    number,
    place: start,
    columns,
    value: (column) => cellOf(column)?.text || undefined,
    sourceOf: (column) => ({ place: placeAt(column), setBy: null, filled: false }),
    refuse: (column, cause, remedy) => ({ place: placeAt(column), cause, remedy }),
  };
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
  const separated = header.length === 1 && /[;\t]/.test(first.text);
  at(first)('no column "text"', separated ? 'separate columns by commas' : nameTheText(names));
}

function isField(name: string): boolean {
  return PROMPT_FIELDS.some((field) => field === name);
}

function placeOf(file: string, { line, column }: { readonly line: number; readonly column: number }): Place {
  return { file, line, column };
}
