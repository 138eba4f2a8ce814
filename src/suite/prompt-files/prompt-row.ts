import type { Diagnostic, Place, Source } from '../document/diagnostic.ts';
import type { Json } from '../document/json.ts';
import { nearest } from '../document/nearest.ts';

/** More prompts than a run can send: a limit for files that are not what they seem. */
export const MOST_PROMPTS = 200_000;

/** Faults of one file that are worth reading; a file with more of them has one cause. */
export const MOST_FAULTS = 100;

/** One row of a file of prompts, before its columns have a meaning. */
export interface PromptRow {
  /** Its number in the file, from 1, headers not counted. */
  readonly number: number;
  readonly place: Place;
  /** Its columns, or the keys of its object. */
  readonly columns: readonly string[];
  /** The cell of a column, or what a key or a JSON pointer leads to; undefined where there is nothing, as in an empty cell. */
  readonly value: (column: string) => Json | undefined;
  readonly sourceOf: (column: string) => Source;
  /** A diagnostic at the cell of a column; at the row where it has none. */
  readonly refuse: (column: string, cause: string, remedy: string) => Diagnostic;
}

/** The rows of a file. */
export interface PromptRows {
  /** `cells`: values are texts, with a notation for lists and numbers; `json`: values have their types; `lines`: only texts. */
  readonly kind: 'cells' | 'json' | 'lines';
  readonly rows: readonly PromptRow[];
}

/** All columns that rows have, in the order they are met. */
export function columnsIn(rows: readonly PromptRow[]): ReadonlySet<string> {
  const known = new Set<string>();
  let met: PromptRow['columns'] = [];
  for (const { columns } of rows) {
    // Those of a table are the same list in each row.
    if (columns !== met) for (const column of columns) known.add(column);
    met = columns;
  }
  return known;
}

/** Refuses the value of a key of the entry that names the file; of `map.text` the value of that. */
export type RefuseEntry = (path: readonly (string | number)[], cause: string, remedy: string) => Diagnostic;

/** What to do about rows that have no `text`. */
export function nameTheText(columns: readonly string[]): string {
  const meant = nearest('text', columns);
  if (meant !== null) return `did you mean "${meant}"?`;
  const likely = columns.find((column) => /prompt/i.test(column)) ?? columns[0] ?? 'prompt';
  return `say which it is: map: { text: ${JSON.stringify(likely)} }`;
}
