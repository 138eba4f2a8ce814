import { type CsvCell, type CsvRow, cellsOfRow, type Dialect, readCsv } from '../../kit/csv-reader.ts';
import type { Diagnostic, Fault, Place } from '../../kit/diagnostic.ts';
import { isPromptField } from '../declare/prompts.ts';
import {
  lineAt,
  MOST_FAULTS,
  MOST_PROMPTS,
  nameTheText,
  type OpenRow,
  PieceRow,
  type PromptRow,
  RowReader,
} from './prompt-row.ts';

const MOST_COLUMNS = 1000;

const REMEDIES: Readonly<Record<Dialect, string>> = {
  csv: 'quote a cell that holds commas',
  tsv: 'write one cell for each column, with a tab between two',
};

/** The rows below the header. */
export function readDelimited(
  file: string,
  text: string,
  dialect: Dialect,
  isMapped: boolean,
  diagnostics: Diagnostic[],
): readonly PromptRow[] {
  const placeOf = ({ line, column }: Pick<CsvCell, 'line' | 'column'>): Place => ({ file, line, column });
  const refuse = (at: Pick<CsvCell, 'line' | 'column'>, { cause, remedy }: Fault): void => {
    diagnostics.push({ place: placeOf(at), cause, remedy });
  };
  const otherwise = dialect === 'csv' ? findOtherSeparator(lineAt(text, 0)) : null;
  if (otherwise !== null) {
    refuse({ line: 1, column: 1 }, otherwise);
    return [];
  }
  const read = readCsv(text, { rows: MOST_PROMPTS + 2, faults: MOST_FAULTS }, dialect);
  for (const fault of read.faults) refuse(fault, fault);
  const [header, ...body] = read.rows;
  if (header === undefined || diagnostics.length > 0) return [];
  const head = cellsOfRow(text, header, dialect);
  checkHeader(head, isMapped, refuse);
  const columns = head.map((cell) => cell.text);
  const indexOf = new Map(columns.map((name, index) => [name, index]));
  const reader = new RowReader<CsvRow>(
    ({ line }) => ({ file, line, column: 1 }),
    (row): OpenRow => {
      const cells = cellsOfRow(text, row, dialect);
      const cellOf = (column: string) => cells[indexOf.get(column) ?? -1];
      return {
        columns,
        value: (column) => cellOf(column)?.text || undefined,
        placeOf: (column) => placeOf(cellOf(column) ?? { line: row.line, column: 1 }),
      };
    },
  );
  const rows: PromptRow[] = [];
  for (const [index, row] of body.entries()) {
    if (row.width === header.width) {
      rows.push(new PieceRow(reader, row, index + 1));
      continue;
    }
    const cause = `this row has ${row.width} ${row.width === 1 ? 'cell' : 'cells'}, the header ${header.width}`;
    refuse({ line: row.line, column: 1 }, { cause, remedy: REMEDIES[dialect] });
    if (diagnostics.length >= MOST_FAULTS) break;
  }
  return rows;
}

/** With another separator, the first fault would be about quotes. */
function findOtherSeparator(header: string): Fault | null {
  if (/^"?sep=/i.test(header)) {
    return { cause: 'the first line is for Excel and names no columns', remedy: 'delete this line' };
  }
  const [separator] = header.includes(',') ? [] : (/[;\t]/.exec(header) ?? []);
  if (separator === undefined) return null;
  const name = separator === ';' ? 'semicolons' : 'tabs';
  return { cause: `the columns are separated by ${name}`, remedy: 'separate columns by commas' };
}

function checkHeader(header: readonly CsvCell[], isMapped: boolean, refuse: (at: CsvCell, fault: Fault) => void): void {
  const names = header.map(({ text }) => text);
  const beyond = header[MOST_COLUMNS];
  if (beyond !== undefined) {
    refuse(beyond, { cause: `more than ${MOST_COLUMNS} columns`, remedy: 'end each row with a line end' });
    return;
  }
  const faults = header.map((cell, index) => ({
    cell,
    fault: faultOfName(cell.text, names.indexOf(cell.text) < index, isMapped),
  }));
  for (const { cell, fault } of faults) if (fault !== null) refuse(cell, fault);
  const [first] = header;
  if (isMapped || first === undefined || names.includes('text') || faults.some(({ fault }) => fault !== null)) return;
  refuse(first, { cause: 'no column "text"', remedy: nameTheText(names) });
}

function faultOfName(name: string, isRepeated: boolean, isMapped: boolean): Fault | null {
  const plain = name.trim().toLowerCase();
  if (plain === '' || name === '__proto__') {
    return { cause: 'the column has no valid name', remedy: 'name the column or remove it' };
  }
  if (isRepeated) return { cause: `the column "${name}" occurs twice`, remedy: 'keep one of them' };
  if (isMapped || isPromptField(name) || !isPromptField(plain)) return null;
  return { cause: `unknown column "${name}"`, remedy: `did you mean "${plain}"?` };
}
