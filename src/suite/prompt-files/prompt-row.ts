import type { Diagnostic, Place, Source } from '../../kit/diagnostic.ts';
import type { Json } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';

/** A run cannot send more prompts: a limit for wrong files. */
export const MOST_PROMPTS = 200_000;

/** Errors reported per file: more have one cause. */
export const MOST_FAULTS = 100;

/** A row before its columns have a meaning. */
export interface PromptRow {
  /** In the file, from 1, without headers. */
  readonly number: number;
  readonly place: Place;
  readonly columns: readonly string[];
  /** A cell, or the value of a key or a JSON pointer; undefined if there is none, as in an empty cell. */
  readonly value: (column: string) => Json | undefined;
  readonly sourceOf: (column: string) => Source;
  /** A diagnostic at the cell of a column, or at the row without one. */
  readonly refuse: (column: string, cause: string, remedy: string) => Diagnostic;
}

export interface PromptRows {
  /** `cells`: texts, with a notation for lists and numbers; `json`: typed values; `lines`: only texts. */
  readonly kind: 'cells' | 'json' | 'lines';
  readonly rows: readonly PromptRow[];
}

export function columnsIn(rows: readonly PromptRow[]): ReadonlySet<string> {
  const known = new Set<string>();
  let met: PromptRow['columns'] = [];
  for (const { columns } of rows) {
    // The rows of a table share one list.
    if (columns !== met) for (const column of columns) known.add(column);
    met = columns;
  }
  return known;
}

/** Reports an error at a key of the suite's entry for this file. */
export type RefuseEntry = (path: readonly (string | number)[], cause: string, remedy: string) => Diagnostic;

/** The remedy for rows without `text`. */
export function nameTheText(columns: readonly string[]): string {
  const meant = nearest('text', columns);
  if (meant !== null) return `did you mean "${meant}"?`;
  const likely = columns.find((column) => /prompt/i.test(column)) ?? columns[0] ?? 'prompt';
  return `say which it is: map: { text: ${JSON.stringify(likely)} }`;
}
