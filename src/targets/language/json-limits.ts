import { type Json, MOST_LEVELS } from '../../kit/json.ts';

/*
 * How much JSON of a reply is parsed. Parsing delays every call in flight: these limits keep it to some tens of
 * milliseconds. An image in base64 is one long text, and may be as large as a reply.
 */

/** Texts, numbers, words, lists and objects, with names of members and escaped quotes. */
const MOST_VALUES = 50_000;
const MOST_BYTES = 2 * 1024 * 1024;
const LONG_TEXT = 4 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 1;
const SEPARATOR = 2;
const SCALAR = 3;
const OPENING = 4;
const CLOSING = 5;

const CLASSES = new Uint8Array(256);
for (const [bytes, is] of [
  [' \t\n\r', SPACE],
  [',:', SEPARATOR],
  ['0123456789+-.eEtrufalsn', SCALAR],
  ['[{', OPENING],
  [']}', CLOSING],
] as const) {
  for (const byte of Buffer.from(bytes, 'latin1')) CLASSES[byte] = is;
}

export interface ReadJson {
  /** Undefined if not JSON, or too large. */
  readonly value: Json | undefined;
  /** Why it was not parsed although it may be JSON; else null. */
  readonly refused: string | null;
}

/** Reads JSON from a server; never throws. */
export function readJson(bytes: Uint8Array): ReadJson {
  const refused = refuseJson(bytes);
  if (refused !== null) return { value: undefined, refused };
  try {
    return { value: JSON.parse(new TextDecoder().decode(bytes)) as Json, refused };
  } catch {
    return { value: undefined, refused };
  }
}

/** Reads JSON from a server; never throws. */
export function readJsonText(text: string): ReadJson {
  return readJson(Buffer.from(text, 'utf8'));
}

/** Why bytes exceed the limits; null if not, or not JSON. Much faster than parsing: ends at the first limit. */
function refuseJson(json: Uint8Array): string | null {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  let values = 0;
  let depth = 0;
  let longBytes = 0;
  let inScalar = false;
  for (let at = startOf(bytes); at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      const text = skipText(bytes, at + 1, MOST_VALUES - values);
      if (text.end - at >= LONG_TEXT) longBytes += text.end - at;
      values += 1 + text.escapedQuotes;
      at = text.end;
      inScalar = false;
    } else {
      const is = CLASSES[byte] ?? 0;
      if (is === 0) return null;
      if (is === OPENING) {
        depth += 1;
        values += 1;
      } else if (is === CLOSING) depth -= 1;
      else if (is === SCALAR && !inScalar) values += 1;
      inScalar = is === SCALAR;
    }
    if (values > MOST_VALUES) return `JSON of more than ${MOST_VALUES} values`;
    if (depth > MOST_LEVELS) return `JSON nested deeper than ${MOST_LEVELS}`;
    if (at - longBytes > MOST_BYTES) return `JSON of more than ${MOST_BYTES / 1024 / 1024} MiB outside long texts`;
  }
  return null;
}

/** After a byte order mark, which decoding removes. */
function startOf(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** The end of a text: its closing quote, the end of the bytes, or after so many escaped quotes. */
function skipText(
  bytes: Buffer,
  from: number,
  mostEscaped: number,
): { readonly end: number; readonly escapedQuotes: number } {
  let escapedQuotes = 0;
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (at - backslashes > from && bytes[at - backslashes - 1] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return { end: at, escapedQuotes };
    escapedQuotes += 1;
    if (escapedQuotes > mostEscaped) return { end: at, escapedQuotes };
  }
  return { end: bytes.length, escapedQuotes };
}

/** Whether RFC 9110 allows it as a field value; control characters are refused. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text.trim() === text;
}
