import { z } from 'zod';
import { type CsvCell, readCsv } from '../document/csv-reader.ts';
import type { Checked, Diagnostic, Place } from '../document/diagnostic.ts';
import { type Document, diagnoseAt, parseDocument, sourceAt } from '../document/document.ts';
import type { Json, JsonObject } from '../document/json.ts';
import { suggest } from '../document/nearest.ts';
import { json } from '../document/scalars.ts';
import { checkDocument } from './check.ts';
import { PROMPT_FIELDS, type PromptDraft, type PromptField, sourcesOf } from './prompts.ts';

/** More prompts than a run can send: a limit for files that are not what they seem. */
const MOST_PROMPTS = 200_000;

/** Faults of one file that are worth reading; a file with more of them has one cause. */
const MOST_FAULTS = 100;

/** Columns that a header may have. */
const MOST_COLUMNS = 1000;

/**
 * Reads a file of prompts by its extension: csv with a header, jsonl with an object a line, txt with a prompt a line.
 * The columns or keys id, text, image, tags and kinds have their meaning; all others are inputs. In a CSV cell tags
 * and kinds are separated by ";", an empty cell is nothing, and a number or boolean written as JSON writes it is one.
 *
 * @param file the name that diagnostics print
 */
export function parsePromptFile(file: string, text: string): Checked<readonly PromptDraft[]> {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase();
  const read = extension === 'csv' ? readCsvPrompts : extension === 'jsonl' ? readJsonLines : readTextLines;
  const diagnostics: Diagnostic[] = [];
  const drafts = read(file, source, diagnostics);
  const extra = drafts[MOST_PROMPTS];
  if (extra !== undefined) {
    const remedy = 'use fewer, or several suites';
    return { ok: false, diagnostics: [{ place: extra.place, cause: `more than ${MOST_PROMPTS} prompts`, remedy }] };
  }
  if (drafts.length === 0 && diagnostics.length === 0) {
    const place = { file, line: 1, column: 1 };
    diagnostics.push({ place, cause: 'no prompt in this file', remedy: 'write at least one' });
  }
  return diagnostics.length === 0 ? { ok: true, value: drafts } : { ok: false, diagnostics };
}

function readCsvPrompts(file: string, text: string, diagnostics: Diagnostic[]): PromptDraft[] {
  const { rows, faults } = readCsv(text, { rows: MOST_PROMPTS + 2, faults: MOST_FAULTS });
  diagnostics.push(
    ...faults.map(({ line, column, cause, remedy }) => ({ place: { file, line, column }, cause, remedy })),
  );
  const [header, ...body] = rows;
  if (header === undefined || diagnostics.length > 0) return [];
  checkHeader(file, header, diagnostics);
  const width = header.length;
  const drafts: PromptDraft[] = [];
  for (const row of body) {
    const [first] = row;
    if (first === undefined) continue;
    if (row.length === width) {
      drafts.push(draftRow(file, header, row));
      continue;
    }
    const cause = `this row has ${row.length} ${row.length === 1 ? 'cell' : 'cells'}, the header ${width}`;
    diagnostics.push({ place: placeOf(file, first), cause, remedy: 'quote a cell that holds commas' });
    if (diagnostics.length >= MOST_FAULTS) break;
  }
  return drafts;
}

function checkHeader(file: string, header: readonly CsvCell[], diagnostics: Diagnostic[]): void {
  const names = header.map(({ text }) => text);
  const beyond = header[MOST_COLUMNS];
  if (beyond !== undefined) {
    const cause = `more than ${MOST_COLUMNS} columns`;
    diagnostics.push({ place: placeOf(file, beyond), cause, remedy: 'end each row with a line end' });
    return;
  }
  const refuse = (cell: CsvCell, cause: string, remedy: string) =>
    diagnostics.push({ place: placeOf(file, cell), cause, remedy });
  for (const [index, cell] of header.entries()) {
    const { text } = cell;
    const plain = text.trim().toLowerCase();
    if (plain === '' || text === '__proto__')
      refuse(cell, 'the column has no valid name', 'name the column or remove it');
    else if (names.indexOf(text) < index) refuse(cell, `the column "${text}" occurs twice`, 'keep one of them');
    else if (!isField(text) && isField(plain)) refuse(cell, `unknown column "${text}"`, `did you mean "${plain}"?`);
  }
  const [first] = header;
  if (first === undefined || diagnostics.length > 0 || names.includes('text')) return;
  const separated = header.length === 1 && /[;\t]/.test(first.text);
  const remedy = separated ? 'separate columns by commas' : suggest('text', names, 'the columns are');
  refuse(first, 'no column "text"', remedy);
}

function draftRow(file: string, header: readonly CsvCell[], row: readonly CsvCell[]): PromptDraft {
  const cells = new Map<string, CsvCell>();
  for (const [index, { text: name }] of header.entries()) {
    const cell = row[index];
    if (cell !== undefined && cell.text !== '') cells.set(name, cell);
  }
  const list = (field: PromptField) =>
    cells
      .get(field)
      ?.text.split(';')
      .flatMap((item) => (item.trim() === '' ? [] : [item.trim()])) ?? [];
  const kinds = list('kinds');
  const start = placeOf(file, row[0] ?? { line: 1, column: 1 });
  const inputs: JsonObject = Object.fromEntries(
    [...cells].flatMap(([name, { text }]) => (isField(name) ? [] : [[name, typed(text)]])),
  );
  return {
    id: cells.get('id')?.text ?? null,
    text: cells.get('text')?.text ?? '',
    image: cells.get('image')?.text ?? null,
    tags: list('tags'),
    kinds: kinds.length === 0 ? null : kinds,
    inputs,
    inputSources: sourcesOf(inputs, (name) => {
      const cell = cells.get(name);
      return { place: cell === undefined ? start : placeOf(file, cell), setBy: null, filled: false };
    }),
    file,
    place: start,
    refuse: (field, cause, remedy) => {
      const cell = row[header.findIndex(({ text }) => text === field)];
      return { place: cell === undefined ? start : placeOf(file, cell), cause, remedy };
    },
  };
}

/** A cell as an input: a number or boolean where the text is exactly how JSON writes one, so that nothing is lost. */
function typed(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

const words = z.array(z.string().min(1));

const lineSchema = z
  .object({
    id: z.string().optional(),
    text: z.string(),
    image: z.string().min(1).optional(),
    tags: words.default([]),
    kinds: words.min(1).optional(),
  })
  .catchall(json);

function readJsonLines(file: string, text: string, diagnostics: Diagnostic[]): PromptDraft[] {
  const drafts: PromptDraft[] = [];
  for (const [index, line] of linesOf(text).entries()) {
    if (diagnostics.length >= MOST_FAULTS || drafts.length > MOST_PROMPTS) break;
    if (line.trim() === '') continue;
    const loaded = parseLine(file, line, index);
    const checked = loaded.ok ? checkDocument(loaded.value, lineSchema) : loaded;
    if (!loaded.ok || !checked.ok) {
      if (!checked.ok) diagnostics.push(...checked.diagnostics.slice(0, MOST_FAULTS));
      continue;
    }
    const document = loaded.value;
    const { id, text: prompt, image, tags, kinds, ...inputs } = checked.value;
    drafts.push({
      id: id ?? null,
      text: prompt,
      image: image ?? null,
      tags,
      kinds: kinds ?? null,
      inputs,
      inputSources: sourcesOf(inputs, (name) => sourceAt(document, [name])),
      file,
      place: document.placeOf([]),
      refuse: (field: PromptField, cause: string, remedy: string) => diagnoseAt(document, [field], { cause, remedy }),
    });
  }
  return drafts;
}

/** One line of JSON as a document whose places are those in the file. */
function parseLine(file: string, line: string, index: number): Checked<Document> {
  const shifted = (place: Place): Place => ({ ...place, line: index + 1 });
  const loaded = parseDocument(file, line);
  if (!loaded.ok) {
    const diagnostics = loaded.diagnostics.map(({ place, ...rest }) => ({ place: place && shifted(place), ...rest }));
    return { ok: false, diagnostics };
  }
  const { placeOf: placeInLine } = loaded.value;
  if (!isJson(line)) {
    const place = shifted(placeInLine([]));
    return {
      ok: false,
      diagnostics: [{ place, cause: 'this line is not JSON', remedy: 'write one JSON object a line' }],
    };
  }
  return { ok: true, value: { ...loaded.value, placeOf: (path, at) => shifted(placeInLine(path, at)) } };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readTextLines(file: string, text: string): PromptDraft[] {
  const drafts: PromptDraft[] = [];
  for (const [index, line] of linesOf(text).entries()) {
    const prompt = line.trim();
    if (prompt === '') continue;
    const place = { file, line: index + 1, column: line.length - line.trimStart().length + 1 };
    const refuse = (_field: PromptField, cause: string, remedy: string): Diagnostic => ({ place, cause, remedy });
    const nothing = { id: null, image: null, tags: [], kinds: null, inputs: {}, inputSources: {} };
    drafts.push({ ...nothing, text: prompt, file, place, refuse });
    if (drafts.length > MOST_PROMPTS) break;
  }
  return drafts;
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

function isField(name: string): name is PromptField {
  return PROMPT_FIELDS.some((field) => field === name);
}

function placeOf(file: string, { line, column }: { readonly line: number; readonly column: number }): Place {
  return { file, line, column };
}
