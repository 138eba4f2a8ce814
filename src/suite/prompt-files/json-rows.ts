import { z } from 'zod';
import type { Checked, Diagnostic, Fault, Place, Source } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, type Path, parseDocument, sourceAt, valueAt } from '../../kit/document.ts';
import { isList, isObject, isShallow, type Json, type JsonObject, ownValue } from '../../kit/json.ts';
import { json } from '../../kit/scalars.ts';
import { checkDocument } from '../declare/check.ts';
import { linesOf } from './lines.ts';
import { MOST_FAULTS, MOST_PROMPTS, nameTheText, type PromptRow } from './prompt-row.ts';

const words = z.array(z.string().min(1));

const rowSchema = z
  .object({
    id: z.string().optional(),
    text: z.string(),
    image: z.string().min(1).optional(),
    tags: words.optional(),
    kinds: words.min(1).optional(),
  })
  .catchall(json);

interface JsonPiece {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** Of an array; there a text alone is a prompt. */
  readonly isElement: boolean;
}

export function readJsonLines(file: string, text: string, isMapped: boolean, diagnostics: Diagnostic[]): PromptRow[] {
  const pieces: JsonPiece[] = [];
  for (const { line, content } of linesOf(text)) {
    if (content.trim() !== '') pieces.push({ text: content, line, column: 1, isElement: false });
  }
  return rowsOf(
    file,
    pieces,
    isMapped,
    { cause: 'this line is not JSON', remedy: 'write one JSON object a line' },
    diagnostics,
  );
}

export function readJsonArray(file: string, text: string, isMapped: boolean, diagnostics: Diagnostic[]): PromptRow[] {
  const split = elementsOf(text);
  if ('cause' in split) {
    const { line, column, cause } = split;
    diagnostics.push({ place: { file, line, column }, cause, remedy: 'write one array of objects or texts' });
    return [];
  }
  return rowsOf(
    file,
    split.elements,
    isMapped,
    { cause: 'this element is not JSON', remedy: 'write an object or a text' },
    diagnostics,
  );
}

function rowsOf(
  file: string,
  pieces: readonly JsonPiece[],
  isMapped: boolean,
  notJson: Fault,
  diagnostics: Diagnostic[],
): PromptRow[] {
  const rows: PromptRow[] = [];
  const table: JsonTable = { file, isMapped, last: null };
  for (const [index, piece] of pieces.entries()) {
    if (diagnostics.length >= MOST_FAULTS || rows.length > MOST_PROMPTS) break;
    const read = readPiece(file, piece, notJson);
    if (!read.ok) diagnostics.push(...read.diagnostics.slice(0, MOST_FAULTS));
    else {
      const row = asRow(read.value.value, piece, isMapped);
      const isRow = isObject(row) && (isMapped || rowSchema.safeParse(row, { jitless: true }).success);
      if (isRow) rows.push(new JsonRow(table, piece, read.value.isPlain ? null : row, index + 1));
      else if (index === 0 && isObject(row) && ownValue(row, 'text') === undefined) {
        // If prompts have another name in the file, each row would report it.
        const remedy = nameTheText(Object.keys(row));
        diagnostics.push({ place: startOf(file, piece), cause: 'no key "text"', remedy });
        return [];
      } else diagnostics.push(...whyNoRow(file, piece).slice(0, MOST_FAULTS));
    }
  }
  return rows;
}

/** In an array a text alone is a row too. */
function asRow(value: Json, { isElement }: JsonPiece, isMapped: boolean): Json {
  return typeof value === 'string' && !isMapped && isElement ? { text: value } : value;
}

/** Also refuses JSON that programs read differently, such as duplicate keys. `isPlain`: `JSON.parse` loses nothing. */
function readPiece(
  file: string,
  piece: JsonPiece,
  { cause, remedy }: Fault,
): Checked<{ readonly value: Json; readonly isPlain: boolean }> {
  const quick = parseJson(piece.text);
  if (quick !== undefined && isPlain(piece.text, quick)) return { ok: true, value: { value: quick, isPlain: true } };
  const read = documentOf(file, piece);
  if (!read.ok) return read;
  if (quick !== undefined) return { ok: true, value: { value: read.value.value, isPlain: false } };
  return { ok: false, diagnostics: [{ place: read.value.placeOf([]), cause, remedy }] };
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** No duplicate key, no number with too many digits, not too deep. Reading places takes a hundred times as long. */
function isPlain(text: string, value: Json): boolean {
  if (/\d{16}|\d[eE]/.test(text) || !isShallow(value)) return false;
  return colonsIn(text) === keysIn(value);
}

function colonsIn(text: string): number {
  let colons = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inText = !inText;
    else if (code === BACKSLASH) at += 1;
    else if (code === COLON && !inText) colons += 1;
  }
  return colons;
}

function keysIn(value: Json): number {
  if (isList(value)) return value.reduce<number>((sum, each) => sum + keysIn(each), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + keysIn(each), Object.keys(value).length);
}

function whyNoRow(file: string, piece: JsonPiece): readonly Diagnostic[] {
  const read = documentOf(file, piece);
  if (!read.ok) return read.diagnostics;
  const checked = checkDocument(read.value, rowSchema);
  return checked.ok ? [] : checked.diagnostics;
}

function documentOf(file: string, piece: JsonPiece): Checked<Document> {
  const inFile = ({ line, column }: Place): Place => ({
    file,
    line: piece.line + line - 1,
    column: line === 1 ? piece.column + column - 1 : column,
  });
  const parsed = parseDocument(file, piece.text);
  if (!parsed.ok) {
    const diagnostics = parsed.diagnostics.map(({ place, ...rest }) => ({ place: place && inFile(place), ...rest }));
    return { ok: false, diagnostics };
  }
  const { placeOf } = parsed.value;
  return { ok: true, value: { ...parsed.value, placeOf: (path, at) => inFile(placeOf(path, at)) } };
}

interface JsonTable {
  readonly file: string;
  readonly isMapped: boolean;
  /** The last row that was read, with its value. */
  last: { readonly row: JsonRow; readonly value: JsonObject } | null;
}

/** A class, because there may be 200,000. Parsing the text again costs less than keeping all values in memory. */
class JsonRow implements PromptRow {
  readonly #table: JsonTable;
  readonly #piece: JsonPiece;
  readonly #exact: JsonObject | null;
  readonly number: number;

  constructor(table: JsonTable, piece: JsonPiece, exact: JsonObject | null, number: number) {
    this.#table = table;
    this.#piece = piece;
    this.#exact = exact;
    this.number = number;
  }

  get place(): Place {
    return startOf(this.#table.file, this.#piece);
  }

  get columns(): readonly string[] {
    return Object.keys(this.#value());
  }

  value(column: string): Json | undefined {
    const value = this.#value();
    return valueAt(value, pathOf(value, column)) ?? undefined;
  }

  sourceOf(column: string): Source {
    const read = documentOf(this.#table.file, this.#piece);
    return read.ok
      ? sourceAt(read.value, pathOf(this.#value(), column))
      : { place: this.place, setBy: null, filled: false };
  }

  refuse(column: string, cause: string, remedy: string): Diagnostic {
    const read = documentOf(this.#table.file, this.#piece);
    return read.ok
      ? diagnoseAt(read.value, pathOf(this.#value(), column), { cause, remedy })
      : { place: this.place, cause, remedy };
  }

  #value(): JsonObject {
    if (this.#exact !== null) return this.#exact;
    const { last, isMapped } = this.#table;
    if (last?.row === this) return last.value;
    const value = asRow(JSON.parse(this.#piece.text), this.#piece, isMapped);
    if (!isObject(value)) throw new Error('a row is no object any more');
    this.#table.last = { row: this, value };
    return value;
  }
}

function startOf(file: string, { text, line, column }: JsonPiece): Place {
  const blanks = text.slice(0, text.length - text.trimStart().length).split('\n');
  const last = blanks.at(-1)?.length ?? 0;
  return { file, line: line + blanks.length - 1, column: blanks.length === 1 ? column + last : last + 1 };
}

/** A key if the object has it; else a JSON pointer (RFC 6901). */
function pathOf(value: Json, column: string): Path {
  if (!column.startsWith('/') || (isObject(value) && ownValue(value, column) !== undefined)) return [column];
  let at: Json | undefined = value;
  return column
    .slice(1)
    .split('/')
    .map((step) => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const isIndex = isList(at) && /^(0|[1-9]\d{0,8})$/.test(key);
      at = at === undefined ? undefined : valueAt(at, [isIndex ? Number(key) : key]);
      return isIndex ? Number(key) : key;
    });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LINE_FEED = 0x0a;

/** The elements of a JSON array with their places; or why the text is not one. Does not read inside elements. */
function elementsOf(
  text: string,
):
  | { readonly elements: readonly JsonPiece[] }
  | { readonly cause: string; readonly line: number; readonly column: number } {
  const elements: JsonPiece[] = [];
  let line = 1;
  let lineStart = 0;
  let depth = 0;
  let begun = { at: 0, line: 1, column: 1 };
  let inText = false;
  let ended = false;
  const end = (at: number): void => {
    const element = text.slice(begun.at, at);
    const { line: row, column } = begun;
    // A comma before the end leaves an empty element, which is refused as invalid JSON.
    elements.push({ text: element, line: row, column, isElement: true });
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) {
      line += 1;
      lineStart = at + 1;
      continue;
    }
    if (inText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inText = false;
      continue;
    }
    if (code <= 0x20) continue;
    const here = { line, column: at - lineStart + 1 };
    if (ended) return { cause: 'something follows the array', ...here };
    const char = text[at];
    if (depth === 0 && char !== '[') return { cause: 'this is not a JSON array', ...here };
    if (code === QUOTE) inText = true;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    if (depth === 1 && char === '[' && elements.length === 0 && begun.at === 0)
      begun = { at: at + 1, line, column: here.column + 1 };
    else if (depth === 1 && char === ',') {
      end(at);
      begun = { at: at + 1, line, column: here.column + 1 };
    } else if (depth === 0) {
      if (elements.length > 0 || text.slice(begun.at, at).trim() !== '') end(at);
      ended = true;
    }
  }
  if (ended) return { elements };
  return depth === 0
    ? { cause: 'this is not a JSON array', line: 1, column: 1 }
    : { cause: 'the array that begins here does not end', line: 1, column: 1 };
}
