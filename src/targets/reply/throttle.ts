import { parseDurationMs } from '../../suite/document/duration.ts';
import type { Json } from '../../suite/document/json.ts';
import { type Locator, locate, type Readable, type TimeLocator } from '../language/locator.ts';
import { parseHttpDate } from './http-date.ts';
import { hintedMs } from './retry-hint.ts';

/** The first wait where a reply names none, and the longest that a wait grows to. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/**
 * How long a reply asks to wait, in milliseconds: the first of the places that says. Null where none does, and where
 * it says not at all: then the growing wait is right, or a server that always answers 0 would be flooded.
 *
 * A number counts in the declared unit; without one in milliseconds where the header's name ends in `-ms`, else in
 * seconds (`Retry-After`). Durations like `1.5s`, HTTP dates and sentences that name a
 * length of time are understood; a date counts from the reply's own Date.
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

/** How long a reply to a GET asks to wait by the usual headers, whatever the target says; null where it does not. */
export function askedGetWaitMs(reply: Readable): number | null {
  return askedWaitMs(USUAL, reply);
}

const USUAL: readonly TimeLocator[] = ['retry-after-ms', 'retry-after'].map((name) => ({
  locators: [{ at: 'header', name }],
  unitMs: null,
}));

/** Refusals in a row after which what they ask for has shown itself too short. */
const TRUSTED = 3;

/**
 * The wait before attempt `attempt` + 1: what the reply asks for; where it asks for nothing, or has been refused more
 * than three times in a row, at least one that grows: 1 s doubling to 60 s, each 0.5 to 1.5 times that. Refused
 * requests may count against the limit they were refused by.
 */
export function waitBeforeMs(askedMs: number | null, attempt: number, random: () => number): number {
  if (askedMs === null) return growingWaitMs(attempt, random);
  return attempt <= TRUSTED ? askedMs : Math.max(askedMs, growingWaitMs(attempt - TRUSTED, random));
}

function growingWaitMs(attempt: number, random: () => number): number {
  const doubled = FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 10);
  return Math.min(doubled, LONGEST_WAIT_MS) * (0.5 + random());
}

/** What a reply says of a length of time, in milliseconds; null where it says nothing of use. */
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

/** More is no time: sums of it would not be finite any more. */
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
