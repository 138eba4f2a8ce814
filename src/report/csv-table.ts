import { stringify } from 'csv-stringify/sync';

/** Null prints as nothing: empty means not known, never 0. */
type CsvValue = string | number | boolean | null;

/** The order of columns is a contract; they are only appended. */
export type CsvColumn<Row> = readonly [head: string, cell: (row: Row) => CsvValue];

/** Of a row: what has the properties; nothing where it lacks that part. */
type PartOf<Row, Name extends string, Value> = (row: Row) => Readonly<Record<NoInfer<Name>, Value>> | null | undefined;

/** A column for each property, with its name in snake case as the head. */
export function columnsOf<Row, Name extends string>(
  partOf: PartOf<Row, Name, CsvValue>,
  names: readonly Name[],
): readonly CsvColumn<Row>[] {
  return names.map((name) => [snakeCase(name), (row) => partOf(row)?.[name] ?? null]);
}

/** The same of milliseconds, to the microsecond: the resolution of the clock. */
export function timesOf<Row, Name extends string>(
  partOf: PartOf<Row, Name, number | null>,
  names: readonly Name[],
): readonly CsvColumn<Row>[] {
  return names.map((name) => {
    const time = (row: Row) => {
      const value = partOf(row)?.[name] ?? null;
      return value === null || !Number.isFinite(value) ? null : Number(value.toFixed(3));
    };
    return [snakeCase(name), time];
  });
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** Large enough to be quick, small enough that 100,000 samples are never held as text. */
const ROWS_A_PIECE = 500;

/** An iterable that can be read more than once. */
export function csvTable<Item, Row>(
  columns: readonly CsvColumn<Row>[],
  items: readonly Item[],
  rowOf: (item: Item) => Row,
): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      yield csvText([columns.map(([head]) => head)]);
      for (let from = 0; from < items.length; from += ROWS_A_PIECE) {
        const rows = items.slice(from, from + ROWS_A_PIECE).map(rowOf);
        yield csvText(rows.map((row) => columns.map(([, cell]) => cell(row))));
      }
    },
  };
}

/** RFC 4180. Text that a spreadsheet takes for a formula (it begins with = + - @ tab or CR) gets an apostrophe. */
export function csvText(rows: readonly (readonly CsvValue[])[]): string {
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
