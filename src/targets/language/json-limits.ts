import { decimalOf } from '../../kit/decimal.ts';
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
/** As `SCALAR`, and not in usual numbers: `1e400`, `NaN`, `-Infinity`. */
const ODD = 4;
const OPENING = 5;
const CLOSING = 6;

const CLASSES = new Uint8Array(256);
for (const [bytes, is] of [
  [' \t\n\r', SPACE],
  [',:', SEPARATOR],
  ['0123456789+-.trufalsniy', SCALAR],
  ['eENI', ODD],
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

/**
 * Reads JSON from a server; never throws. A number above 2^53, such as an id, is read as the text of its digits:
 * a double would change them. `NaN` and `Infinity`, which some servers write though JSON has neither, become null.
 */
export function readJson(json: Uint8Array): ReadJson {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const unsure: NumberPlace[] = [];
  const refused = refuseJson(bytes, unsure);
  // An image is not decoded as text only to see that it is not JSON.
  if (refused === NOT_JSON) return { value: undefined, refused: null };
  if (refused !== null) return { value: undefined, refused };
  try {
    return { value: parse(bytes, unsure), refused };
  } catch {
    return { value: undefined, refused };
  }
}

/** From the first byte to before `to`. */
interface NumberPlace {
  readonly from: number;
  readonly to: number;
}

const NOT_FINITE: readonly string[] = ['NaN', 'Infinity', '-Infinity'];

function parse(bytes: Buffer, unsure: readonly NumberPlace[]): Json {
  const replaced = unsure.flatMap(({ from, to }) => {
    const written = bytes.toString('latin1', from, to);
    if (NOT_FINITE.includes(written)) return [{ from, to, by: 'null' }];
    const isExact = Math.abs(Number(written)) <= Number.MAX_SAFE_INTEGER;
    return isExact || decimalOf(written) === null ? [] : [{ from, to, by: `"${written}"` }];
  });
  // Most replies have no such number, and are parsed as they are: an image in base64 is megabytes.
  if (replaced.length === 0) return JSON.parse(new TextDecoder().decode(bytes));
  const whole = Buffer.allocUnsafe(replaced.reduce((sum, { by }) => sum + by.length, bytes.length));
  let done = 0;
  let end = 0;
  for (const { from, to, by } of replaced) {
    end += bytes.copy(whole, end, done, from);
    end += whole.write(by, end, 'latin1');
    done = to;
  }
  end += bytes.copy(whole, end, done);
  return JSON.parse(new TextDecoder().decode(whole.subarray(0, end)));
}

/** Reads JSON from a server; never throws. */
export function readJsonText(text: string): ReadJson {
  return readJson(Buffer.from(text, 'utf8'));
}

const NOT_JSON = 'not JSON';

/**
 * Why bytes exceed the limits; `NOT_JSON` at a byte that JSON has within texts alone; else null. Much faster than
 * parsing: ends at the first limit. Adds to `unsure` where there may be numbers that a double does not keep.
 */
function refuseJson(bytes: Buffer, unsure: NumberPlace[]): string | null {
  let values = 0;
  let depth = 0;
  let longBytes = 0;
  for (let at = startOf(bytes); at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      const text = skipText(bytes, at + 1, MOST_VALUES - values);
      if (text.end - at >= LONG_TEXT) longBytes += text.end - at;
      values += 1 + text.escapedQuotes;
      at = text.end;
    } else {
      const is = CLASSES[byte] ?? 0;
      if (is === 0 || (is === ODD && depth === 0)) return NOT_JSON;
      if (is === OPENING) {
        depth += 1;
        values += 1;
      } else if (is === CLOSING) depth -= 1;
      else if (is === SCALAR || is === ODD) {
        const scalar = skipScalar(bytes, at);
        if (scalar.isUnsure) unsure.push({ from: at, to: scalar.end });
        values += 1;
        at = scalar.end - 1;
      }
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

/** A double keeps every number of so many characters. */
const SURE_LENGTH = 15;
const LOWER_CASE = 0x61;

/** The end of a number or a word, within `MOST_BYTES`, and whether it may be a number that a double does not keep. */
function skipScalar(bytes: Buffer, from: number): { readonly end: number; readonly isUnsure: boolean } {
  let isOdd = false;
  let end = from;
  for (; end - from < MOST_BYTES; end += 1) {
    const is = CLASSES[bytes[end] ?? 0];
    if (is === ODD) isOdd = true;
    else if (is !== SCALAR) break;
  }
  const isWord = (bytes[from] ?? 0) >= LOWER_CASE; // true, false, null
  return { end, isUnsure: !isWord && (isOdd || end - from > SURE_LENGTH) };
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
