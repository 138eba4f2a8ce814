import type { Diagnostic, Place } from '../../kit/diagnostic.ts';
import { valueAt } from '../../kit/document.ts';
import { isList, type Json, type JsonObject, ownValue } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';
import { isPromptField } from '../declare/prompts.ts';

/** A run cannot send more prompts: a limit for wrong files. */
export const MOST_PROMPTS = 200_000;

/** Errors reported per file: more have one cause. */
export const MOST_FAULTS = 100;

export interface PromptRow {
  /** In the file, from 1, without headers. */
  readonly number: number;
  readonly place: Place;
  /** By column or key; an empty cell is null. */
  readonly values: JsonObject;
}

export interface PromptRows {
  /** `cells`: texts, with a notation for lists and numbers; `json`: typed values; `lines`: only texts. */
  readonly kind: 'cells' | 'json' | 'lines';
  readonly rows: readonly PromptRow[];
}

/** A cell, or the value of a key, else of a JSON pointer (RFC 6901); undefined if missing or empty. */
export function valueIn({ values }: PromptRow, column: string): Json | undefined {
  const own = ownValue(values, column);
  if (own !== undefined || !column.startsWith('/')) return own ?? undefined;
  let here: Json | undefined = values;
  for (const step of column.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (here === undefined) break;
    here = valueAt(here, [isList(here) && /^(0|[1-9]\d*)$/.test(key) ? Number(key) : key]);
  }
  return here ?? undefined;
}

export function columnsIn(rows: readonly PromptRow[]): ReadonlySet<string> {
  const known = new Set<string>();
  for (const { values } of rows) for (const column of Object.keys(values)) known.add(column);
  return known;
}

/** Reports an error at a key of the suite's entry for this file. */
export type RefuseEntry = (path: readonly (string | number)[], cause: string, remedy: string) => Diagnostic;

/** The remedy for rows without `text`. */
export function nameTheText(columns: readonly string[]): string {
  const meant = nearest('text', columns);
  if (meant !== null) return `did you mean "${meant}"?`;
  const likely =
    columns.find((column) => /prompt/i.test(column)) ??
    nearest('prompt', columns) ??
    columns.find((column) => !isPromptField(column)) ??
    'prompt';
  return `say which it is: map: { text: ${JSON.stringify(likely)} }`;
}

/** Lines ending with CRLF, LF or CR that are not empty, trimmed and counted from 1; one at a time to save memory. */
export function* linesOf(text: string): Generator<{ readonly line: number; readonly text: string }> {
  const ends = /\r\n?|\n|$/g;
  for (let line = 1, at = 0; at < text.length; line += 1) {
    ends.lastIndex = at;
    const { 0: end, index } = ends.exec(text) ?? { 0: '', index: text.length };
    const content = text.slice(at, index).trim();
    if (content !== '') yield { line, text: content };
    at = index + Math.max(end.length, 1);
  }
}
