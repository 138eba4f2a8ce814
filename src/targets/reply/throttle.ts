import { parseDurationMs } from '../../suite/document/duration.ts';
import type { Json } from '../../suite/document/json.ts';
import { type Locator, locate, type Readable, type TimeLocator } from '../language/locator.ts';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** An amount with its unit, short or written out, up to the next word or amount. */
const AMOUNT =
  /(\d{1,12}(?:\.\d{1,6})?)\s*(milliseconds?|millis|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)(?![a-z])/iy;
const MOST_TEXT = 2000;

/** In milliseconds: `Please try again in 1m20.5s.`, `retry after 30 seconds`. Null if there is none. */
export function hintedMs(text: string): number | null {
  const start = /(?<![\w.-])\d/g;
  const sentence = text.slice(0, MOST_TEXT);
  for (let found = start.exec(sentence); found !== null; found = start.exec(sentence)) {
    const ms = amountsAt(sentence, found.index);
    if (ms !== null) return ms;
  }
  return null;
}

function amountsAt(text: string, from: number): number | null {
  let sum: number | null = null;
  let at = from;
  for (;;) {
    AMOUNT.lastIndex = at;
    const [whole = '', amount, unit = ''] = AMOUNT.exec(text) ?? [];
    if (amount === undefined) return sum;
    sum = (sum ?? 0) + Number(amount) * (UNIT_MS[shortUnit(unit.toLowerCase())] ?? 0);
    at += whole.length;
    if (text[at] === ' ') at += 1;
  }
}

function shortUnit(unit: string): string {
  return /^(ms|msec|milli)/.test(unit) ? 'ms' : unit.charAt(0);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const FORM = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/**
 * Seconds since 1970 of an HTTP date (IMF-fixdate, RFC 9110, section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`); null for
 * other text. Only for differences of two dates of a server.
 */
export function parseHttpDate(text: string): number | null {
  const [, day = '', month = '', year = '', hour = '', minute = '', second = ''] = FORM.exec(text.trim()) ?? [];
  const monthIndex = MONTHS.indexOf(month);
  if (monthIndex < 0) return null;
  const days = daysSince1970(Number(year), monthIndex + 1, Number(day));
  return days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second);
}

/** Days from 1 January 1970 in the Gregorian calendar; years begin in March, so that a leap day is the last. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5) + day - 1;
  return 365 * marchYear + leapDays + dayOfYear - 719_468;
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
export function askedWaitMs(after: readonly TimeLocator[], reply: Readable): number | null {
  for (const { locators, unitMs } of after) {
    for (const locator of locators) {
      const value = locate(locator, reply);
      const waitMs = value === undefined ? null : asMs(value, unitMs ?? impliedUnitMs(locator), reply);
      if (waitMs !== null && Number.isFinite(waitMs) && waitMs > 0) return waitMs;
    }
  }
  return null;
}

/** By the usual headers, for a reply to a GET, whatever the target says; else null. */
export function askedGetWaitMs(reply: Readable): number | null {
  return askedWaitMs(USUAL, reply);
}

const USUAL: readonly TimeLocator[] = ['retry-after-ms', 'retry-after'].map((name) => ({
  locators: [{ at: 'header', name }],
  unitMs: null,
}));

/** After more refusals in a row the wait that they ask for is too short. */
const TRUSTED = 3;

/**
 * The wait before attempt `attempt` + 1, in milliseconds: what the reply asks for. Without that, or after more than
 * three refusals in a row, at least a growing one: 1 s doubling to 60 s, each times 0.5 to 1.5. Refused requests may
 * count against the limit that refuses them.
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
export function locateMs(times: readonly TimeLocator[], reply: Readable): number | null {
  for (const { locators, unitMs } of times) {
    for (const locator of locators) {
      const value = locate(locator, reply);
      const ms = value === undefined ? null : asMs(value, unitMs ?? impliedUnitMs(locator), reply);
      if (ms !== null && ms >= 0 && ms <= MOST_MS) return ms;
    }
  }
  return null;
}

/** A longer time is ignored, so that sums stay finite. */
const MOST_MS = 1e15;

function impliedUnitMs(locator: Locator): number {
  return locator.at === 'header' && locator.name.endsWith('-ms') ? 1 : 1000;
}

function asMs(value: Json, unitMs: number, reply: Readable): number | null {
  if (typeof value === 'number') return value * unitMs;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text) * unitMs;
  const duration = parseDurationMs(text);
  if (duration !== null) return duration;
  const until = parseHttpDate(text);
  const sent = locate({ at: 'header', name: 'date' }, reply);
  const from = typeof sent === 'string' ? parseHttpDate(sent) : null;
  if (until !== null) return from === null ? null : (until - from) * 1000;
  return hintedMs(text);
}
