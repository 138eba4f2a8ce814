import { stringify } from 'csv-stringify/sync';

/** Null prints as nothing: empty means not known, never 0. */
export type CsvValue = string | number | boolean | null;

/** The order of columns is a contract; they are only appended. */
export type CsvColumn<Row> = readonly [name: string, cell: (row: Row) => CsvValue];

/** Large enough to be quick, small enough that 100,000 samples are never held as text. */
const ROWS_A_PIECE = 500;

/** An iterable that can be read more than once. */
export function table<Item, Row>(
  columns: readonly CsvColumn<Row>[],
  items: readonly Item[],
  rowOf: (item: Item) => Row,
): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      yield csvText([columns.map(([name]) => name)]);
      for (let from = 0; from < items.length; from += ROWS_A_PIECE) {
        const rows = items.slice(from, from + ROWS_A_PIECE).map(rowOf);
        yield csvText(rows.map((row) => columns.map(([, cell]) => cell(row))));
      }
    },
  };
}

/** RFC 4180. Text that a spreadsheet takes for a formula (it begins with = + - @ tab or CR) gets an apostrophe. */
function csvText(rows: readonly (readonly CsvValue[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    {
      escape_formulas: true,
      quoted_match: /[\r\n]/,
      record_delimiter: '\n',
      cast: { number: plainNumber, boolean: (value) => (value ? 'true' : 'false') },
    },
  );
}

/** At most 9 significant digits, no trailing zeros; empty for what is not finite. */
function plainNumber(value: number): string {
  if (!Number.isFinite(value)) return '';
  return Number.isSafeInteger(value) ? String(value) : String(Number(value.toPrecision(9)));
}
