import { z } from 'zod';
import { checkDocument } from '../../kit/check.ts';
import type { Checked, Diagnostic, Fault, Place } from '../../kit/diagnostic.ts';
import { type Document, type Path, parseDocument, valueAt } from '../../kit/document.ts';
import { isList, isObject, isShallow, type Json, ownValue } from '../../kit/json.ts';
import { json } from '../../kit/json-value.ts';
import {
  linesOf,
  MOST_FAULTS,
  MOST_PROMPTS,
  nameTheText,
  type OpenRow,
  PieceRow,
  type PromptRow,
  RowReader,
} from './prompt-row.ts';

const words = z.array(z.string().min(1));

const rowSchema = z
  .object({
    id: z.string().optional(),
    text: z.string(),
    image: z.string().min(1).optional(),
    images: words.min(1).optional(),
    mask: z.string().min(1).optional(),
    tags: words.optional(),
    kinds: words.min(1).optional(),
  })
  .catchall(json);

interface JsonPiece {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** Whether it is an item of an array, where a text is a prompt. */
  readonly isElement: boolean;
}

interface PlacedFault extends Fault {
  readonly line: number;
  readonly column: number;
}

/** The rows of a JSON file, or its fault. */
export function readJson(
  file: string,
  pieces: readonly JsonPiece[] | PlacedFault,
  isMapped: boolean,
  diagnostics: Diagnostic[],
): readonly PromptRow[] {
  if ('cause' in pieces) {
    const { line, column, ...fault } = pieces;
    diagnostics.push({ place: { file, line, column }, ...fault });
    return [];
  }
  const rows: PromptRow[] = [];
  /** Values that `JSON.parse` would change. */
  const exact = new Map<JsonPiece, Json>();
  const reader = new RowReader<JsonPiece>(
    (piece) => startOf(file, piece),
    (piece) => openRow(file, piece, exact.get(piece) ?? asRow(JSON.parse(piece.text), piece, isMapped)),
  );
  for (const [index, piece] of pieces.entries()) {
    if (diagnostics.length >= MOST_FAULTS || rows.length > MOST_PROMPTS) break;
    const read = readPiece(file, piece);
    if (!read.ok) {
      diagnostics.push(...read.diagnostics.slice(0, MOST_FAULTS));
      continue;
    }
    const { value, isPlain } = read.value;
    const row = asRow(value, piece, isMapped);
    if (isObject(row) && (isMapped || rowSchema.safeParse(row, { jitless: true }).success)) {
      if (!isPlain) exact.set(piece, row);
      rows.push(new PieceRow(reader, piece, index + 1));
    } else if (index === 0 && isObject(row) && ownValue(row, 'text') === undefined) {
      // A differently named text would be reported at every row.
      const remedy = nameTheText(Object.keys(row));
      diagnostics.push({ place: startOf(file, piece), cause: 'no key "text"', remedy });
      return [];
    } else diagnostics.push(...whyNoRow(file, piece).slice(0, MOST_FAULTS));
  }
  return rows;
}

function asRow(value: Json, { isElement }: JsonPiece, isMapped: boolean): Json {
  return typeof value === 'string' && !isMapped && isElement ? { text: value } : value;
}

function openRow(file: string, piece: JsonPiece, value: Json): OpenRow {
  return {
    columns: isObject(value) ? Object.keys(value) : [],
    value: (column) => valueAt(value, pathOf(value, column)) ?? undefined,
    placeOf: (column) => {
      const read = documentOf(file, piece);
      return read.ok ? read.value.placeOf(pathOf(value, column)) : startOf(file, piece);
    },
  };
}

/** Refuses also JSON that programs read differently, such as duplicate keys. `isPlain`: `JSON.parse` loses nothing. */
function readPiece(file: string, piece: JsonPiece): Checked<{ readonly value: Json; readonly isPlain: boolean }> {
  const quick = parseJson(piece.text);
  if (quick !== undefined && isPlain(piece.text, quick)) return { ok: true, value: { value: quick, isPlain: true } };
  const read = documentOf(file, piece);
  if (quick !== undefined) return read.ok ? { ok: true, value: { value: read.value.value, isPlain: false } } : read;
  if (!read.ok && /^\s*[[{"]/.test(piece.text)) return read;
  const fault = piece.isElement
    ? { cause: 'this element is not JSON', remedy: 'write an object or a text' }
    : { cause: 'this line is not JSON', remedy: 'write one JSON object a line' };
  return { ok: false, diagnostics: [{ place: startOf(file, piece), ...fault }] };
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** No duplicate key, number with too many digits or half a surrogate pair, not too deep. Reading places takes a hundred times as long. */
function isPlain(text: string, value: Json): boolean {
  if (/\d{16}|\d[eE]/.test(text) || !isShallow(value)) return false;
  // JSON.stringify escapes only the half of a pair.
  if (/\\ud[89a-f]/i.test(text) && /\\ud[89a-f]/.test(JSON.stringify(value))) return false;
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
  if (isList(value)) return value.reduce<number>((sum, item) => sum + keysIn(item), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + keysIn(item), Object.keys(value).length);
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

function startOf(file: string, { text, line, column }: JsonPiece): Place {
  const blanks = text.slice(0, text.length - text.trimStart().length).split('\n');
  const last = blanks.at(-1)?.length ?? 0;
  return { file, line: line + blanks.length - 1, column: blanks.length === 1 ? column + last : last + 1 };
}

/** A key of the object, else a JSON pointer (RFC 6901). */
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

export function linesOfJson(text: string): readonly JsonPiece[] {
  const pieces: JsonPiece[] = [];
  for (const { line, content } of linesOf(text)) {
    if (content.trim() !== '') pieces.push({ text: content, line, column: 1, isElement: false });
  }
  return pieces;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LINE_FEED = 0x0a;

/** The elements of a JSON array with their places, or why it is none. Does not parse elements. */
export function elementsOf(text: string): readonly JsonPiece[] | PlacedFault {
  const refuse = (cause: string, line = 1, column = 1): PlacedFault => {
    return { cause, remedy: 'write one array of objects or texts', line, column };
  };
  const elements: JsonPiece[] = [];
  let line = 1;
  let lineStart = 0;
  let depth = 0;
  let begun = { at: 0, line: 1, column: 1 };
  let inText = false;
  let ended = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) {
      line += 1;
      lineStart = at + 1;
    } else if (inText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inText = false;
    } else if (code > 0x20) {
      const char = text[at];
      if (ended) return refuse('something follows the array', line, at - lineStart + 1);
      if (depth === 0 && char !== '[') return refuse('this is not a JSON array', line, at - lineStart + 1);
      const opens = char === '[' || char === '{';
      if (code === QUOTE) inText = true;
      else if (opens) depth += 1;
      else if (char === ']' || char === '}') depth -= 1;
      ended = depth === 0;
      const isFirst = depth === 1 && opens;
      const isEnd = ended || (depth === 1 && char === ',');
      // A trailing comma leaves an empty element, which is refused as invalid JSON.
      if (isEnd && (!ended || elements.length > 0 || text.slice(begun.at, at).trim() !== '')) {
        elements.push({ text: text.slice(begun.at, at), line: begun.line, column: begun.column, isElement: true });
      }
      if (isFirst || isEnd) begun = { at: at + 1, line, column: at - lineStart + 2 };
    }
  }
  if (ended) return elements;
  return refuse(depth === 0 ? 'this is not a JSON array' : 'the array that begins here does not end');
}
