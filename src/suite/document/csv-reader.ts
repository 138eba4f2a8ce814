import type { Fault } from './diagnostic.ts';

/** One cell, and where it begins; `line` and `column` count from 1. */
export interface CsvCell {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** Something that is not CSV. */
export interface CsvFault extends Fault {
  readonly line: number;
  readonly column: number;
}

/**
 * Reads comma-separated values as RFC 4180 has them: cells may be quoted and then hold commas, line ends and doubled
 * quotes. Rows end with CRLF, LF or CR; empty lines are left out. A byte order mark must be gone already.
 */
export function readCsv(text: string): { readonly rows: readonly CsvCell[][]; readonly faults: readonly CsvFault[] } {
  const rows: CsvCell[][] = [];
  const faults: CsvFault[] = [];
  let at = 0;
  let line = 1;
  let lineStart = 0;

  /** Steps over a line end; a CRLF is one. */
  function newLine(): void {
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    lineStart = at;
  }

  /** From the opening quote to after the closing one; gives what is between. */
  function quoted(): string {
    const opening = { line, column: at - lineStart + 1 };
    let content = '';
    at += 1;
    while (at < text.length) {
      const char = text[at] ?? '';
      if (char === '"' && text[at + 1] !== '"') {
        at += 1;
        return content;
      }
      const from = at;
      if (char === '"') at += 2;
      else if (char === '\n' || char === '\r') newLine();
      else at += 1;
      content += char === '"' ? '"' : text.slice(from, at);
    }
    faults.push({ ...opening, cause: 'a quote is opened and never closed', remedy: 'close it, or double it: ""' });
    return content;
  }

  function cell(): CsvCell {
    const start = { line, column: at - lineStart + 1 };
    const content = text[at] === '"' ? quoted() : null;
    const from = at;
    while (at < text.length && !/[,\r\n]/.test(text[at] ?? '')) at += 1;
    const plain = text.slice(from, at);
    if (content !== null && plain !== '') {
      const column = from - lineStart + 1;
      faults.push({ line, column, cause: 'text after a closing quote', remedy: 'double the quotes inside a cell: ""' });
    } else if (plain.includes('"')) {
      const column = from + plain.indexOf('"') - lineStart + 1;
      faults.push({
        line,
        column,
        cause: 'a quote inside an unquoted cell',
        remedy: 'quote the cell and double the quote',
      });
    }
    return { text: content ?? plain, ...start };
  }

  while (at < text.length) {
    if (text[at] === '\n' || text[at] === '\r') {
      newLine();
      continue;
    }
    const row = [cell()];
    while (text[at] === ',') {
      at += 1;
      row.push(cell());
    }
    rows.push(row);
    if (at < text.length) newLine();
  }
  return { rows, faults };
}
