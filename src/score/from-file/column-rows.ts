import { type CsvCell, type CsvRow, cellsOfRow, readCsv } from '../../kit/csv-reader.ts';
import type { Checked, Diagnostic } from '../../kit/diagnostic.ts';
import { suggest } from '../../kit/nearest.ts';

/** The cell of a column; an empty one where the file does not have the column. */
export type ColumnRow<Column extends string> = (column: Column) => CsvCell;

export interface FileColumns<Column extends string> {
  readonly columns: readonly Column[];
  readonly needed: readonly Column[];
  /** How many rows a file may have: so many are held at once. */
  readonly most: number;
}

/** So many faults are told. */
export const MOST_FAULTS = 100;

/**
 * The rows of a file of the user: CSV with a header whose columns may have any order.
 *
 * @param file the name that diagnostics print
 */
export function columnRows<Column extends string>(
  file: string,
  text: string,
  wanted: FileColumns<Column>,
): Checked<Iterable<ColumnRow<Column>>> {
  const { columns, most } = wanted;
  const faults: Diagnostic[] = [];
  const refuse = (line: number, column: number, cause: string, remedy: string): void => {
    faults.push({ place: { file, line, column }, cause, remedy });
  };
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const read = readCsv(source, { rows: most + 2, faults: MOST_FAULTS });
  for (const { line, column, cause, remedy } of read.faults) refuse(line, column, cause, remedy);
  const [header, ...rows] = read.rows;
  if (faults.length > 0) return { ok: false, diagnostics: faults };
  if (header === undefined) refuse(1, 1, 'the file is empty', `begin with a line ${columns.join(',')}`);
  else checkHeader(cellsOfRow(source, header), wanted, refuse);
  if (header === undefined || faults.length > 0) return { ok: false, diagnostics: faults };
  if (rows.length === 0) refuse(header.line, 1, 'the file has no row below the header', 'add at least one');
  const extra = rows[most];
  if (extra !== undefined) refuse(extra.line, 1, `more than ${most} rows`, 'write several files');
  for (const { line, width } of rows.filter(({ width }) => width !== header.width).slice(0, MOST_FAULTS)) {
    const cells = `${width} ${width === 1 ? 'cell' : 'cells'}`;
    const remedy = width < header.width ? 'add the missing cells' : 'quote a cell that holds commas';
    refuse(line, 1, `this row has ${cells}, the header has ${header.width}`, remedy);
  }
  if (faults.length > 0) return { ok: false, diagnostics: faults };
  const names = cellsOfRow(source, header).map(({ text: name }) => name);
  return { ok: true, value: readRows(source, names, rows) };
}

/** One by one: the cells of all rows take several times the memory of the text. */
function* readRows(source: string, names: readonly string[], rows: readonly CsvRow[]): Iterable<ColumnRow<string>> {
  for (const row of rows) yield rowOf(names, cellsOfRow(source, row), row.line);
}

function rowOf(names: readonly string[], cells: readonly CsvCell[], line: number): ColumnRow<string> {
  return (column) => cells[names.indexOf(column)] ?? { text: '', line, column: 1 };
}

function checkHeader(
  header: readonly CsvCell[],
  { columns, needed }: FileColumns<string>,
  refuse: (line: number, column: number, cause: string, remedy: string) => void,
): void {
  const names = header.map(({ text }) => text);
  const [first] = header;
  if (header.length === 1 && first !== undefined && /[;\t]/.test(first.text)) {
    refuse(first.line, first.column, 'the header has one column', 'separate columns with commas');
    return;
  }
  for (const [index, { text, line, column }] of header.entries()) {
    if (!columns.some((name) => name === text)) {
      refuse(line, column, `unknown column "${text}"`, suggest(text, columns));
    } else if (names.indexOf(text) < index) {
      refuse(line, column, `the column "${text}" occurs twice`, 'keep one of them');
    }
  }
  // A column that is misspelt is unknown: that says it.
  const unknown = names.filter((name) => !columns.some((each) => each === name)).length;
  const missing = needed.filter((name) => !names.includes(name));
  if (missing.length <= unknown) return;
  const [name] = missing;
  refuse(first?.line ?? 1, 1, `no column "${name}"`, `the header needs ${needed.join(', ')}`);
}
