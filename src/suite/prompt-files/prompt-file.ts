import { basename } from 'node:path';
import type { Checked, Diagnostic, Place, Source } from '../../kit/diagnostic.ts';
import type { PromptDraft } from '../declare/prompts.ts';
import type { PromptFileEntry } from '../format/schema.ts';
import { draftsOf } from './column-map.ts';
import { readCsvRows, readTsvRows } from './delimited-rows.ts';
import { readJsonArray, readJsonLines } from './json-rows.ts';
import { linesOf } from './lines.ts';
import { MOST_PROMPTS, type PromptRow, type PromptRows, type RefuseEntry } from './prompt-row.ts';
import { sampleRows } from './sample.ts';

/**
 * Reads a file of prompts by its extension: csv and tsv with a header, jsonl and ndjson with an object per line, json
 * with an array, txt with a prompt per line. The columns or keys id, text, image, tags and kinds have their meaning and
 * all others are inputs, unless `map` renames columns. In a cell, tags and kinds are separated by ";", an empty cell is
 * no value, and a number or boolean as in JSON is one. Of a folder (`*.txt`) each file is a prompt, and its name the id.
 * @param files one, or those of a folder; `file` is the name that diagnostics print
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
  const drafts = draftsOf(file, { kind: read.kind, rows: sampled.value }, read.rows, entry, refuse);
  return drafts.ok ? { ...drafts, warnings: sampled.warnings ?? [] } : drafts;
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function rowOfFile({ file, text }: { readonly file: string; readonly text: string }, index: number): PromptRow {
  const id = basename(file).slice(0, -'.txt'.length);
  return new LineRow(withoutMark(text).replace(/[\r\n]+$/, ''), { file, line: 1, column: 1 }, index + 1, id);
}

function readRows(file: string, text: string, isMapped: boolean, diagnostics: Diagnostic[]): PromptRows {
  switch (/\.(\w+)$/.exec(file)?.[1]?.toLowerCase()) {
    case 'csv':
      return { kind: 'cells', rows: readCsvRows(file, text, isMapped, diagnostics) };
    case 'tsv':
      return { kind: 'cells', rows: readTsvRows(file, text, isMapped, diagnostics) };
    case 'jsonl':
    case 'ndjson':
      return { kind: 'json', rows: readJsonLines(file, text, isMapped, diagnostics) };
    case 'json':
      return { kind: 'json', rows: readJsonArray(file, text, isMapped, diagnostics) };
    default:
      return { kind: 'lines', rows: readTextLines(file, text) };
  }
}

function readTextLines(file: string, text: string): PromptRow[] {
  const rows: PromptRow[] = [];
  for (const { line, content } of linesOf(text)) {
    const prompt = content.trim();
    if (prompt === '') continue;
    rows.push(
      new LineRow(prompt, { file, line, column: content.length - content.trimStart().length + 1 }, rows.length + 1),
    );
    if (rows.length > MOST_PROMPTS) break;
  }
  return rows;
}

class LineRow implements PromptRow {
  readonly #prompt: string;
  readonly place: Place;
  readonly number: number;
  readonly #id: string | undefined;

  constructor(prompt: string, place: Place, number: number, id?: string) {
    this.#id = id;
    this.#prompt = prompt;
    this.place = place;
    this.number = number;
  }

  get columns(): readonly string[] {
    return this.#id === undefined ? TEXT_ALONE : WITH_ID;
  }

  value(column: string): string | undefined {
    return column === 'text' ? this.#prompt : column === 'id' ? this.#id : undefined;
  }

  sourceOf(): Source {
    return { place: this.place, setBy: null, filled: false };
  }

  refuse(column: string, cause: string, remedy: string): Diagnostic {
    return { place: this.place, cause, remedy: column === 'id' ? `rename the file: ${remedy}` : remedy };
  }
}

const TEXT_ALONE: readonly string[] = ['text'];
const WITH_ID: readonly string[] = ['id', 'text'];
