import { isList, isObject, type Json, type JsonObject } from '../../kit/json.ts';
import { MESSAGE_LENGTH, type Redact } from '../../kit/redact.ts';
import { type ReadJson, readJson } from '../language/json-limits.ts';
import { type Locator, locate, type Readable, type TimeLocator } from '../language/locator.ts';
import { httpUrl } from '../origins.ts';
import type { TransportReply } from '../wire.ts';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** An amount with its unit, short or written out, up to the next word or amount. */
const AMOUNT =
  /(\d{1,12}(?:\.\d{1,12})?)\s*(milliseconds?|millis|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])/iy;
export const MOST_TEXT = 2000;
/** Words before the duration to wait, the clearest first: not those of a limit, as in `5 images per 1 minute`. */
const MARKS = [
  /\b(?:retry|try(?:ing)? again|wait)\b[^.!?;\d]*$/i,
  /\b(?:(?:lock|block)ed(?: out)?|banned|suspended|paused)\b[^.!?;\d]*$/i,
  /\breset\w*[^.!?;\d]*$/i,
  /\b(?:next|free|available|until)\b[^.!?;\d]*$/i,
  /\b(?:in|after)[: ]+$/i,
];
const MOST_BEFORE = 60;

/**
 * The duration to wait, in milliseconds: `Please try again in 1m20.5s.`, `retry after 30 seconds`. Of several the
 * marked one; null if none is, or if equally marked ones differ.
 */
export function hintedMs(text: string): number | null {
  const sentence = text.slice(0, MOST_TEXT);
  const hints: { readonly ms: number; readonly before: string }[] = [];
  const start = /(?<![\w.-])\d/g;
  for (let next = start.exec(sentence); next !== null; next = start.exec(sentence)) {
    const { ms, end } = amountsAt(sentence, next.index);
    if (ms !== null) hints.push({ ms, before: sentence.slice(Math.max(0, next.index - MOST_BEFORE), next.index) });
    start.lastIndex = Math.max(end, start.lastIndex);
  }
  const marked = MARKS.map((mark) => hints.filter(({ before }) => mark.test(before))).find(({ length }) => length > 0);
  const [ms = null, ...others] = new Set((marked ?? hints).map((hint) => hint.ms));
  return others.length === 0 ? ms : null;
}

function amountsAt(text: string, from: number): { readonly ms: number | null; readonly end: number } {
  let sum: number | null = null;
  let at = from;
  for (;;) {
    AMOUNT.lastIndex = at;
    const [whole = '', amount, unit = ''] = AMOUNT.exec(text) ?? [];
    if (amount === undefined) return { ms: sum, end: at };
    sum = (sum ?? 0) + Number(amount) * (UNIT_MS[shortUnit(unit.toLowerCase())] ?? 0);
    at += whole.length;
    at += /^(?:,? (?:and )?)?/.exec(text.slice(at, at + 6))?.[0].length ?? 0;
  }
}

function shortUnit(unit: string): string {
  return /^(ms|msec|milli)/.test(unit) ? 'ms' : unit.charAt(0);
}

/** The present form of RFC 9110, section 5.6.7, also with dashes, and with UTC or an offset of 0 for GMT. */
const HTTP_DATE = /^([A-Z][a-z]{2}), ?(\d?\d)[ -]([A-Z][a-z]{2})[ -](\d{4} \d\d:\d\d:\d\d) (?:GMT|UTC|[+-]0000)$/;
/** RFC 3339, which is a part of ISO 8601; without a zone it would be a guess. */
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * Milliseconds since 1970 of an HTTP date or of RFC 3339; null for other text, also for the obsolete forms of dates.
 */
export function parseHttpDate(text: string): number | null {
  const trimmed = text.trim();
  const date = ISO.test(trimmed) ? trimmed.replace(' ', 'T').toUpperCase() : trimmed.replace(HTTP_DATE, '$2 $3 $4 GMT');
  const ms = ISO.test(trimmed) || HTTP_DATE.test(trimmed) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** The first wait if a reply asks for none, and the longest that it grows to. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/**
 * The wait that a reply asks for, in milliseconds: of the first place with one. Null if none, or 0: a server that
 * always answers 0 would be flooded otherwise.
 *
 * A number counts in the declared unit; without one in milliseconds if the header's name ends in `-ms`, else in seconds
 * (`Retry-After`). Durations like `1.5s`, HTTP dates and sentences with a duration are understood; a date counts from
 * the reply's own Date.
 */
export function askedWaitMs(after: readonly TimeLocator[] = [], reply: Readable): number | null {
  return timesAt(after, reply).find((waitMs) => Number.isFinite(waitMs) && waitMs > 0) ?? null;
}

/** The wait by the usual headers, for a reply to a GET, whatever the target says; else null. */
export function askedGetWaitMs(reply: Readable): number | null {
  return askedWaitMs(USUAL, reply);
}

const USUAL: readonly TimeLocator[] = ['retry-after-ms', 'retry-after'].map((name) => ({
  locators: [{ at: 'header', name }],
  unitMs: null,
}));

/** After more refusals in a row, the wait that they ask for is too short. */
const TRUSTED = 3;

/**
 * The wait after attempt `attempt`, in milliseconds: what the reply asks for. Without that, or after more than three
 * refusals in a row (each may count against the limit), at least 1 s doubling to 60 s, times 0.5 to 1.5.
 */
export function waitBeforeMs(askedMs: number | null, attempt: number, random: () => number): number {
  if (askedMs === null) return growingWaitMs(attempt, random);
  return attempt <= TRUSTED ? askedMs : Math.max(askedMs, growingWaitMs(attempt - TRUSTED, random));
}

function growingWaitMs(attempt: number, random: () => number): number {
  const doubled = FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 10);
  return Math.min(doubled, LONGEST_WAIT_MS) * (0.5 + random());
}

/** A duration in a reply, in milliseconds; null if there is none. */
export function locateMs(times: readonly TimeLocator[] = [], reply: Readable): number | null {
  return timesAt(times, reply).find((ms) => ms >= 0 && ms <= MOST_MS) ?? null;
}

function timesAt(times: readonly TimeLocator[], reply: Readable): readonly number[] {
  return times.flatMap(({ locators, unitMs }) =>
    locators.flatMap((locator) => {
      const value = locate(locator, reply);
      return value === undefined ? [] : (asMs(value, unitMs ?? impliedUnitMs(locator), reply) ?? []);
    }),
  );
}

/** A longer time is ignored, so that sums stay finite. */
const MOST_MS = 1e15;

function impliedUnitMs(locator: Locator): number {
  return locator.at === 'timing' || (locator.at === 'header' && locator.name.endsWith('-ms')) ? 1 : 1000;
}

/** The longest of a repeated header (`4, 4`); the comma in a date does not split it. */
function asMs(value: Json, unitMs: number, reply: Readable): number | null {
  if (typeof value === 'number') return value * unitMs;
  if (typeof value !== 'string') return null;
  const parts = value.slice(0, MOST_TEXT).split(/,(?!\s*\d\d[ -][A-Z])/);
  const times = parts.map((part) => timeMs(part.trim(), unitMs, reply));
  return times.every((ms) => ms !== null) ? Math.max(...times) : hintedMs(value);
}

function timeMs(text: string, unitMs: number, reply: Readable): number | null {
  if (/^\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text) * unitMs;
  const { receivedMs } = reply;
  const until = parseHttpDate(text);
  const sent = locate({ at: 'header', name: 'date' }, reply);
  const from = typeof sent === 'string' ? parseHttpDate(sent) : null;
  if (until === null || (from === null && receivedMs === undefined)) return null;
  // The clock of this machine may be wrong.
  return from === null ? Math.min(until - (receivedMs ?? 0), LONGEST_WAIT_MS) : until - from;
}

/** Bytes for a message: far more than it shows, because secrets are redacted first. */
const BEGINNING_BYTES = 256 * 1024;

/** Text and JSON are made once, on demand. */
export function readableReply(
  { status, headers, body }: Pick<TransportReply, 'status' | 'headers' | 'body'>,
  receivedMs?: number,
): Readable {
  let text: string | null = null;
  let json: ReadJson | null = null;
  const asJson = () => {
    json ??= readJson(body);
    return json;
  };
  return {
    status,
    headers,
    receivedMs,
    text: () => {
      text ??= new TextDecoder().decode(body);
      return text;
    },
    beginning: () => new TextDecoder().decode(body.subarray(0, BEGINNING_BYTES)),
    json: () => asJson().value,
    jsonRefused: () => asJson().refused,
  };
}

/** Without parameters, in lower case; null if none. */
export function declaredMime({ headers }: Pick<Readable, 'headers'>): string | null {
  const [, value = ''] = headers.find(([name]) => name === 'content-type') ?? [];
  const [, mime] = /^\s*([a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60})\s*(?:;|$)/i.exec(value) ?? [];
  return mime?.toLowerCase() ?? null;
}

export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The beginning of a textual body, else its media type. Not yet redacted. */
export function showReply(reply: Readable): string {
  if (reply.json() !== undefined) return reply.beginning();
  const mime = declaredMime(reply);
  return mime !== null && TEXTUAL.test(mime) ? reply.beginning() : `a body of type ${mime ?? 'unknown'}`;
}

const TEXTUAL = /^(text\/|application\/(.*\+)?(json|xml))/i;

/** The beginning of a textual body, as a message; else empty. */
export function bodySnippet(reply: Readable, redact: Redact): string {
  const mime = declaredMime(reply);
  return mime !== null && TEXTUAL.test(mime) ? redact(reply.beginning(), MESSAGE_LENGTH) : '';
}

/** Characters shown of a URL, and of a captured value. */
export const URL_LENGTH = 300;
const VALUE_LENGTH = 120;

/** Without user, password, fragment and the values of its query, which may be a signature; redacted. */
export function showUrl(text: string, redact: Redact): string {
  const url = httpUrl(text);
  return url === null ? '' : redact(`${url.origin}${url.pathname}${withoutValues(url.search)}`, URL_LENGTH);
}

/** Captured values for people; URLs in them lose the values of their query. */
export function showValues(values: JsonObject, redact: Redact): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, showValue(value, redact)]));
}

function showValue(value: Json, redact: Redact): Json {
  if (typeof value !== 'string' && !isList(value) && !isObject(value)) return value;
  // A query may be longer than the part of the value that is shown.
  const text = redact(asText(value), 20 * VALUE_LENGTH);
  return redact(withoutQueryValues(text), VALUE_LENGTH);
}

/** Removes values of queries, also within JSON, because they may be signatures. */
export function withoutQueryValues(text: string): string {
  // Word by word: one pattern takes quadratic time on a long text of slashes.
  return text.replace(/[^\s"'<>]+/g, (word) => {
    const slash = word.indexOf('/');
    const query = slash < 0 ? -1 : word.slice(slash).search(/[?#]/);
    return query < 0 ? word : word.slice(0, slash + query) + withoutValues(word.slice(slash + query));
  });
}

/** `?name=value&other#part` becomes `?name=…&…`. */
function withoutValues(text: string): string {
  const [query = ''] = text.split('#');
  if (query === '' || query === '?') return query;
  const pairs = query.slice(1).split('&');
  return `?${pairs.map((pair) => (pair.includes('=') ? `${pair.slice(0, pair.indexOf('='))}=…` : '…')).join('&')}`;
}
