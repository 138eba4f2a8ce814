import { type Dialect, readCsv } from '../../kit/csv-reader.ts';
import type { Diagnostic, Fault } from '../../kit/diagnostic.ts';
import { isPromptField } from '../declare/prompts.ts';
import { MOST_FAULTS, MOST_PROMPTS, nameTheText, type PromptRow } from './prompt-row.ts';

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
  const refuse = (line: number, { cause, remedy }: Fault): void => {
    diagnostics.push({ place: { file, line, column: 1 }, cause, remedy });
  };
  const otherwise = dialect === 'csv' ? findOtherSeparator(text) : null;
  if (otherwise !== null) {
    refuse(1, otherwise);
    return [];
  }
  const read = readCsv(text, dialect, MOST_PROMPTS + 2);
  if (read.fault !== null) refuse(read.fault.line, read.fault);
  const [header, ...body] = read.rows;
  if (header === undefined || diagnostics.length > 0) return [];
  const columns = header.cells;
  for (const fault of headerFaults(columns, isMapped)) refuse(header.line, fault);
  const rows: PromptRow[] = [];
  for (const [index, { line, cells }] of body.entries()) {
    if (diagnostics.length >= MOST_FAULTS) break;
    if (cells.length === columns.length) {
      const values = Object.fromEntries(columns.map((column, at) => [column, cells[at] || null]));
      rows.push({ number: index + 1, place: { file, line, column: 1 }, values });
    } else {
      const cause = `this row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, the header ${columns.length}`;
      refuse(line, { cause, remedy: REMEDIES[dialect] });
    }
  }
  return rows;
}

/** With another separator, the first fault would be about quotes. */
function findOtherSeparator(text: string): Fault | null {
  const [header = ''] = /^.*/.exec(text) ?? [];
  if (/^"?sep=/i.test(header)) {
    return { cause: 'the first line is for Excel and names no columns', remedy: 'delete this line' };
  }
  const [separator] = header.includes(',') ? [] : (/[;\t]/.exec(header) ?? []);
  if (separator === undefined) return null;
  const name = separator === ';' ? 'semicolons' : 'tabs';
  return { cause: `the columns are separated by ${name}`, remedy: 'separate columns by commas' };
}

function headerFaults(names: readonly string[], isMapped: boolean): readonly Fault[] {
  if (names.length > MOST_COLUMNS) {
    return [{ cause: `more than ${MOST_COLUMNS} columns`, remedy: 'end each row with a line end' }];
  }
  const faults = names.flatMap((name, index) => faultOfName(name, names.indexOf(name) < index, isMapped) ?? []);
  if (isMapped || names.includes('text') || faults.length > 0) return faults;
  return [{ cause: 'no column "text"', remedy: nameTheText(names) }];
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
