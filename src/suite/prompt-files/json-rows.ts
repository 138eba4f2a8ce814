import { z } from 'zod';
import { checkDocument } from '../../kit/check.ts';
import type { Diagnostic, Fault } from '../../kit/diagnostic.ts';
import { AS_WRITTEN, parseDocument } from '../../kit/document.ts';
import { isObject, isShallow, type Json, type JsonObject, ownValue } from '../../kit/json.ts';
import { json, jsonObject } from '../../kit/json-value.ts';
import { linesOf, MOST_FAULTS, MOST_PROMPTS, nameTheText, type PromptRow } from './prompt-row.ts';

const words = z.array(z.string().min(1));

const rowSchema: z.ZodType<JsonObject> = z
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

/** A line, or an item of an array. */
interface JsonPiece {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** `lines`: an object a line; `array`: one array of objects, or of texts that are prompts. */
export function readJson(
  file: string,
  text: string,
  form: 'lines' | 'array',
  isMapped: boolean,
  diagnostics: Diagnostic[],
): readonly PromptRow[] {
  const pieces: JsonPiece[] = [];
  if (form === 'lines') for (const piece of linesOf(text)) pieces.push({ ...piece, column: 1 });
  else {
    const fault = readItems(text, pieces);
    if (fault !== null) {
      const { line, column, cause } = fault;
      diagnostics.push({ place: { file, line, column }, cause, remedy: 'write one array of objects or texts' });
      return [];
    }
  }
  const rows: PromptRow[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (diagnostics.length >= MOST_FAULTS || rows.length > MOST_PROMPTS) break;
    const place = { file, line: piece.line, column: piece.column };
    const parsed = parse(piece.text);
    if (parsed === undefined) {
      diagnostics.push({ place, ...whyNotJson(piece.text, form) });
      continue;
    }
    const value = form === 'array' && !isMapped && typeof parsed === 'string' ? { text: parsed } : parsed;
    if (index === 0 && !isMapped && isObject(value) && ownValue(value, 'text') === undefined) {
      // A differently named text would be reported at every row.
      diagnostics.push({ place, cause: 'no key "text"', remedy: nameTheText(Object.keys(value)) });
      return [];
    }
    const document = { file, value, placeOf: () => place, commentAt: () => null, ...AS_WRITTEN };
    const checked = checkDocument(document, isMapped ? jsonObject : rowSchema);
    if (!checked.ok) diagnostics.push(...checked.diagnostics.slice(0, MOST_FAULTS));
    else if (isObject(value)) rows.push({ number: index + 1, place, values: value });
  }
  return rows;
}

/** Undefined if it is not JSON, is too deep, or holds half a character. */
function parse(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    // JSON.stringify escapes only the half of a pair.
    const isWhole = !/\\ud[89a-f]/i.test(text) || !/\\ud[89a-f]/.test(JSON.stringify(value));
    return isWhole && isShallow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const NOT_JSON = {
  lines: { cause: 'this line is not JSON', remedy: 'write one JSON object a line' },
  array: { cause: 'this element is not JSON', remedy: 'write an object or a text' },
} as const;

/** JSON is YAML, whose reader says what is wrong. */
function whyNotJson(text: string, form: keyof typeof NOT_JSON): Fault {
  const read = parseDocument('', text);
  const [first] = read.ok || !/^[[{"]/.test(text) ? [] : read.diagnostics;
  return first === undefined ? NOT_JSON[form] : { cause: first.cause, remedy: first.remedy };
}

/**
 * Gives the items of a JSON array, or why it is none. They are parsed one by one, so that a fault has the place of its
 * item.
 */
function readItems(text: string, items: JsonPiece[]): (Omit<JsonPiece, 'text'> & Pick<Fault, 'cause'>) | null {
  let read = 0;
  let line = 1;
  let lineStart = 0;
  const here = () => ({ line, column: read - lineStart + 1 });
  const readTo = (end: number): void => {
    const part = text.slice(read, end);
    line += part.split('\n').length - 1;
    if (part.includes('\n')) lineStart = read + part.lastIndexOf('\n') + 1;
    read = end;
  };
  const skipBlanks = (end: number) => readTo(end - text.slice(read, end).trimStart().length);
  skipBlanks(text.length);
  if (text[read] !== '[') return { ...here(), cause: 'this is not a JSON array' };
  readTo(read + 1);
  let depth = 1;
  let inText = false;
  for (let at = read; at < text.length; at += 1) {
    const char = text[at];
    if (inText) {
      if (char === '\\') at += 1;
      else inText = char !== '"';
      continue;
    }
    if (char === '"') inText = true;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    const ends = depth === 0;
    if (!ends && !(depth === 1 && char === ',')) continue;
    skipBlanks(at);
    // A trailing comma leaves an empty item, which is not JSON.
    const item = text.slice(read, at).trimEnd();
    if (!ends || items.length > 0 || item !== '') items.push({ text: item, ...here() });
    readTo(at + 1);
    if (!ends) continue;
    skipBlanks(text.length);
    return read === text.length ? null : { ...here(), cause: 'something follows the array' };
  }
  return { ...here(), cause: 'the item that begins here, or the array, does not end' };
}
