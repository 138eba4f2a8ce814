import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Checked, Diagnostic } from '../../kit/diagnostic.ts';
import { groupBy } from '../../kit/grouping.ts';
import { suggest } from '../../kit/nearest.ts';
import { apportion } from '../../statistics/apportion.ts';
import { createRandom } from '../../statistics/random.ts';
import type { PromptDraft } from '../declare/prompts.ts';
import type { PromptFileEntry } from '../format/schema.ts';
import { draftsOf } from './column-map.ts';
import { readDelimited } from './delimited-rows.ts';
import { readJson } from './json-rows.ts';
import {
  columnsIn,
  linesOf,
  MOST_PROMPTS,
  type PromptRow,
  type PromptRows,
  type RefuseEntry,
  valueIn,
} from './prompt-row.ts';

/** Nobody compares more values of `by`. */
const MOST_STRATA = 1000;

/**
 * The rows of `sample`, in file order: seats by Webster's method among the values of `by`, and for each value the first
 * rows of its own shuffle. So a smaller sample of one draw is part of each larger one.
 */
function sampleRows(
  { kind, rows }: PromptRows,
  entry: PromptFileEntry,
  refuse: RefuseEntry,
): Checked<readonly PromptRow[]> {
  const { sample, by, draw } = entry;
  if (sample === undefined) {
    const needless = by !== undefined ? 'by' : draw !== undefined ? 'draw' : null;
    if (needless === null) return { ok: true, value: rows };
    return failed(refuse([needless], `"${needless}" without "sample"`, `add "sample", or leave "${needless}" out`));
  }
  if (sample > rows.length) {
    return failed(
      refuse(['sample'], `a sample of ${sample} from ${rows.length} rows`, 'ask for no more than there are'),
    );
  }
  const columns = [by ?? []].flat().map((name) => [entry.map?.[name] ?? name].flat());
  const known = columnsIn(rows);
  for (const [index, names] of columns.entries()) {
    const unknown = names.find((name) => !known.has(name) && rows.every((row) => valueIn(row, name) === undefined));
    if (unknown === undefined && kind !== 'lines') continue;
    const path = typeof by === 'string' ? ['by'] : ['by', index];
    const column = unknown ?? names.join();
    return failed(refuse(path, `no column "${column}" in the file`, suggest(column, [...known], 'the columns are')));
  }
  const strata = groupBy(rows, (row) =>
    JSON.stringify(columns.map((names) => names.map((name) => valueIn(row, name) ?? null))),
  );
  const most = Math.min(sample, MOST_STRATA);
  if (strata.size > most) {
    const cause = `"by" has ${strata.size} values, more than ${most === sample ? 'the sample' : most}`;
    return failed(refuse(['by'], cause, 'use a column with fewer values'));
  }
  const groups = [...strata];
  const seats = apportion(
    groups.map(([, stratum]) => stratum.length),
    sample,
  );
  const chosen = new Set(
    groups.flatMap(([key, stratum], index) =>
      createRandom(seedOf(draw ?? 1, key))
        .shuffle(stratum)
        .slice(0, seats[index]),
    ),
  );
  const left = groups.flatMap(([key], index) => (seats[index] === 0 ? [describe(key)] : []));
  return {
    ok: true,
    value: rows.filter((row) => chosen.has(row)),
    warnings:
      left.length === 0 ? [] : [refuse(['sample'], `the sample has no row of ${left.join(', ')}`, 'ask for more')],
  };
}

/** 52 bits of a digest: a stratum's shuffle does not depend on others. */
function seedOf(draw: number, key: string): number {
  return Number.parseInt(createHash('sha256').update(`${draw} ${key}`).digest('hex').slice(0, 13), 16);
}

function describe(key: string): string {
  const values: readonly unknown[] = JSON.parse(key).flat(2);
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' / ');
}

function failed(diagnostic: Diagnostic): Checked<never> {
  return { ok: false, diagnostics: [diagnostic] };
}

/**
 * Reads a file of prompts by its extension: csv and tsv with a header, jsonl and ndjson with an object per line, json
 * with an array, txt with a prompt per line. Columns or keys id, text, image, tags and kinds are fields, all others
 * inputs, unless `map` renames them. In a cell, ";" separates tags and kinds, an empty cell is no value, and JSON's
 * numbers and booleans are such. Of a folder (`*.txt`) each file is a prompt with its name as id.
 */
export function parsePrompts(
  files: readonly { readonly file: string; readonly text: string }[],
  entry: PromptFileEntry,
  refuse: RefuseEntry,
): Checked<readonly PromptDraft[]> {
  const diagnostics: Diagnostic[] = [];
  const [{ file, ...first } = { file: '', text: '' }] = files;
  const read: PromptRows = entry.from.includes('*')
    ? { kind: 'lines', rows: files.map(rowOfFile) }
    : readRows(file, withoutMark(first.text), entry.map !== undefined, diagnostics);
  const extra = read.rows[MOST_PROMPTS];
  if (extra !== undefined) {
    const remedy = 'use fewer, or several suites';
    return { ok: false, diagnostics: [{ place: extra.place, cause: `more than ${MOST_PROMPTS} prompts`, remedy }] };
  }
  if (read.rows.length === 0 && diagnostics.length === 0) {
    const place = { file, line: 1, column: 1 };
    diagnostics.push({ place, cause: 'no prompt in this file', remedy: 'write at least one' });
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const sampled = sampleRows(read, entry, refuse);
  if (!sampled.ok) return sampled;
  const drafts = draftsOf({ kind: read.kind, rows: sampled.value }, read.rows, entry, refuse);
  return drafts.ok ? { ...drafts, warnings: sampled.warnings ?? [] } : drafts;
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function readRows(file: string, text: string, isMapped: boolean, diagnostics: Diagnostic[]): PromptRows {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase();
  switch (extension) {
    case 'csv':
    case 'tsv':
      return { kind: 'cells', rows: readDelimited(file, text, extension, isMapped, diagnostics) };
    case 'jsonl':
    case 'ndjson':
      return { kind: 'json', rows: readJson(file, text, 'lines', isMapped, diagnostics) };
    case 'json':
      return { kind: 'json', rows: readJson(file, text, 'array', isMapped, diagnostics) };
    default:
      return { kind: 'lines', rows: readTextLines(file, text) };
  }
}

/** A whole file of a folder. Its name is its id. */
function rowOfFile({ file, text }: { readonly file: string; readonly text: string }, index: number): PromptRow {
  const id = basename(file).slice(0, -'.txt'.length);
  const values = { id, text: withoutMark(text).replace(/[\r\n]+$/, '') };
  return { number: index + 1, place: { file, line: 1, column: 1 }, values };
}

function readTextLines(file: string, text: string): readonly PromptRow[] {
  const rows: PromptRow[] = [];
  for (const { line, text: prompt } of linesOf(text)) {
    rows.push({ number: rows.length + 1, place: { file, line, column: 1 }, values: { text: prompt } });
    if (rows.length > MOST_PROMPTS) break;
  }
  return rows;
}
