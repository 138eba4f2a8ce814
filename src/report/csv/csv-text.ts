import { stringify } from 'csv-stringify/sync';

/** Null prints as nothing: empty means not known, never 0. */
export type CsvValue = string | number | boolean | null;

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
