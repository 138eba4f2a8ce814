import { randomBytes } from 'node:crypto';
import { decimalOf, isSameNumber } from '../../kit/decimal.ts';
import { isList, isObject, type Json, type JsonObject } from '../../kit/json.ts';

/**
 * A number of a reply whose digits a double does not keep, such as an id above 2^53: it is compared, shown and sent as
 * the server wrote it. A record holds it as `{"digits": "7309835418839273473"}`: see `withNumerals`.
 */
export class Numeral {
  readonly [member: string]: Json;
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** Whether a double keeps a number: a whole one up to 2^53, another if no digit is lost. */
export function isKept(digits: string): boolean {
  const number = Number(digits);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER && isSameNumber(digits, number);
}

/** The nearest double of a number, also of one in a text; null for everything else, such as `true` and `[1]`. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value;
  const text = value instanceof Numeral ? value.digits : value;
  return typeof text === 'string' && decimalOf(text) !== null ? Number(text) : null;
}

/** A copy with doubles in place of numerals; the value itself if it has none. */
export function withDoubles(value: Json): Json {
  if (value instanceof Numeral) return Number(value.digits);
  if (typeof value !== 'object' || value === null) return value;
  const items = Object.entries<Json>(value).map(([key, item]) => [key, item, withDoubles(item)] as const);
  if (items.every(([, item, double]) => item === double)) return value;
  return isList(value)
    ? items.map(([, , double]) => double)
    : Object.fromEntries(items.map(([key, , double]) => [key, double]));
}

/** Recorded values of a reply, with their numerals. */
export function withNumerals(recorded: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, withNumeral(value)]));
}

function withNumeral(value: Json): Json {
  if (isList(value)) return value.map(withNumeral);
  if (!isObject(value)) return value;
  const { digits, ...others } = value;
  const isNumeral = typeof digits === 'string' && decimalOf(digits) !== null && Object.keys(others).length === 0;
  return isNumeral ? new Numeral(digits) : withNumerals(value);
}

/** Stands before the digits of a numeral in JSON that is not finished; no other text contains it. */
const MARK = randomBytes(12).toString('hex');
const MARKED = new RegExp(`"${MARK}([^"]+)"`, 'g');

/** What `JSON.stringify` shall write for a numeral, for `unmarked`. */
export function marked({ digits }: Numeral): string {
  return MARK + digits;
}

/** JSON with the digits of its numerals, of a text with marked ones. */
export function unmarked(json: string): string {
  return json.replace(MARKED, '$1');
}

/** As `JSON.stringify`, with the digits of numerals. */
export function jsonText(value: unknown, indent?: number): string {
  return unmarked(JSON.stringify(value, (_key, item) => (item instanceof Numeral ? marked(item) : item), indent));
}

/** A list that stands for a numeral in JSON, for `parseListed`. Where JSON takes no number, it takes no list. */
export function listed(digits: string): string {
  return `["${MARK}","${digits}"]`;
}

export function parseListed(json: string): Json {
  return JSON.parse(json, (_key, item: Json) =>
    isList(item) && item[0] === MARK ? new Numeral(String(item[1])) : item,
  );
}
