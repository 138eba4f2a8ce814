import type { Fault } from './diagnostic.ts';

/** `line`: on which it begins, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * `csv` by RFC 4180: quoted cells may contain commas, line ends and doubled quotes. `tsv`, with tabs, the same where
 * quotes enclose a whole cell, as programs write it; any other quote is an ordinary character
 * (text/tab-separated-values).
 */
export type Dialect = 'csv' | 'tsv';

const CELL_ENDS = { csv: /,|\r\n?|\n|$/g, tsv: /\t|\r\n?|\n|$/g } as const;

/**
 * The first `most` rows, ending with CRLF, LF or CR, without empty ones. `fault`: what ends them too early, at the line
 * on which its row begins. The text has no byte order mark.
 */
export function readCsv(
  text: string,
  dialect: Dialect = 'csv',
  most = Number.POSITIVE_INFINITY,
): { readonly rows: readonly CsvRow[]; readonly fault: (Fault & { readonly line: number }) | null } {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let at = 0;
  const endFrom = (offset: number) => {
    CELL_ENDS[dialect].lastIndex = offset;
    return CELL_ENDS[dialect].exec(text) ?? { 0: '', index: text.length };
  };
  while (rows.length < most) {
    const closed = text[at] === '"' ? closingQuote(text, at + 1) : null;
    const whole = closed === null ? null : endFrom(closed);
    const isQuoted = whole !== null && whole.index === closed;
    const { 0: end, index } = isQuoted ? whole : endFrom(at);
    const cell = text.slice(at, index);
    if (!isQuoted && dialect === 'csv' && cell.includes('"'))
      return { rows, fault: { line, ...faultOf(cell, closed) } };
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    at = index + end.length;
    if (end === ',' || end === '\t') continue;
    if (cells.length > 1 || cells[0] !== '') rows.push({ line, cells });
    if (end === '') break;
    line += cells.reduce((sum, each) => sum + (each.match(/\r\n?|\n/g)?.length ?? 0), 1);
    cells = [];
  }
  return { rows, fault: null };
}

/** The offset behind the quote that closes a cell; null: there is none. */
function closingQuote(text: string, from: number): number | null {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? null : at + 1;
}

function faultOf(cell: string, closed: number | null): Fault {
  if (!cell.startsWith('"')) {
    return { cause: 'a quote inside an unquoted cell', remedy: 'quote the cell and double the quote' };
  }
  return closed === null
    ? { cause: 'a quote is opened and never closed', remedy: 'close it, or double it: ""' }
    : { cause: 'text after a closing quote', remedy: 'double the quotes inside a cell: ""' };
}
