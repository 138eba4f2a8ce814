import type { Fault } from './diagnostic.ts';

/** `line` and `column` count from 1. */
export interface CsvCell {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** `line` counts from 1, `at` is the offset in the text. */
export interface CsvRow {
  readonly line: number;
  readonly at: number;
  readonly width: number;
}

export interface CsvFault extends Fault {
  readonly line: number;
  readonly column: number;
}

const IN_QUOTES = /["\r\n]/g;
const SEPARATORS = { csv: ',', tsv: '\t' } as const;
const IN_PLAIN = { csv: /[,\r\n]/g, tsv: /[\t\r\n]/g } as const;

const WHOLLY_QUOTED = /"[^"]*(?:""[^"]*)*"(?=[\t\r\n]|$)/y;

/**
 * `csv` by RFC 4180: quoted cells may contain commas, line ends and doubled quotes. `tsv`, with tabs, the same where
 * quotes enclose a whole cell, as programs write it; any other quote is an ordinary character (text/tab-separated-values).
 */
export type Dialect = keyof typeof SEPARATORS;

interface CsvLimits {
  readonly rows: number;
  readonly faults: number;
}

const NO_LIMIT: CsvLimits = { rows: Number.POSITIVE_INFINITY, faults: Number.POSITIVE_INFINITY };

/**
 * Rows ending with CRLF, LF or CR, without empty ones. The text has no byte order mark. Stops after `most` rows or
 * faults.
 */
export function readCsv(
  text: string,
  most = NO_LIMIT,
  dialect: Dialect = 'csv',
): { readonly rows: readonly CsvRow[]; readonly faults: readonly CsvFault[] } {
  return read(text, { at: 0, line: 1 }, most, dialect);
}

/** Reads a row again: keeping all cells takes several times the memory of the text. */
export function cellsOfRow(text: string, row: CsvRow, dialect: Dialect = 'csv'): readonly CsvCell[] {
  const cells: CsvCell[] = [];
  read(text, row, { ...NO_LIMIT, rows: 1 }, dialect, cells);
  return cells;
}

function read(
  text: string,
  from: Pick<CsvRow, 'at' | 'line'>,
  most: CsvLimits,
  dialect: Dialect,
  cells?: CsvCell[],
): ReturnType<typeof readCsv> {
  const separator = SEPARATORS[dialect];
  const rows: CsvRow[] = [];
  const faults: CsvFault[] = [];
  let { at, line } = from;
  let lineStart = at;

  function newLine(): void {
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    lineStart = at;
  }

  function quoted(): string {
    const opening = { line, column: at - lineStart + 1 };
    const parts: string[] = [];
    at += 1;
    while (at < text.length) {
      const from = at;
      at = nextOf(IN_QUOTES);
      const char = text[at];
      if (char === '"') {
        const isDoubled = text[at + 1] === '"';
        parts.push(text.slice(from, isDoubled ? at + 1 : at));
        at += isDoubled ? 2 : 1;
        if (!isDoubled) return parts.join('');
      } else {
        if (char !== undefined) newLine();
        parts.push(text.slice(from, at));
      }
    }
    faults.push({ ...opening, cause: 'a quote is opened and never closed', remedy: 'close it, or double it: ""' });
    return parts.join('');
  }

  function nextOf(characters: RegExp): number {
    characters.lastIndex = at;
    return characters.exec(text)?.index ?? text.length;
  }

  function isWhollyQuoted(): boolean {
    WHOLLY_QUOTED.lastIndex = at;
    return WHOLLY_QUOTED.test(text);
  }

  function cell(): void {
    const start = { line, column: at - lineStart + 1 };
    const content = text[at] === '"' && (dialect === 'csv' || isWhollyQuoted()) ? quoted() : null;
    const from = at;
    at = nextOf(IN_PLAIN[dialect]);
    const plain = text.slice(from, at);
    if (content !== null && plain !== '') {
      const column = from - lineStart + 1;
      faults.push({ line, column, cause: 'text after a closing quote', remedy: 'double the quotes inside a cell: ""' });
    } else if (dialect === 'csv' && plain.includes('"')) {
      const column = from + plain.indexOf('"') - lineStart + 1;
      faults.push({
        line,
        column,
        cause: 'a quote inside an unquoted cell',
        remedy: 'quote the cell and double the quote',
      });
    }
    cells?.push({ text: content ?? plain, ...start });
  }

  while (at < text.length && faults.length < most.faults && rows.length < most.rows) {
    if (text[at] === '\n' || text[at] === '\r') {
      newLine();
      continue;
    }
    const row = { line, at };
    let width = 1;
    cell();
    while (text[at] === separator) {
      at += 1;
      width += 1;
      cell();
    }
    rows.push({ ...row, width });
    if (at < text.length) newLine();
  }
  return { rows, faults };
}
