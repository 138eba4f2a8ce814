import { numberIn } from '../../kit/decimal.ts';
import { isList, type Json } from '../../kit/json.ts';
import { MOST_USD } from '../../kit/most-usd.ts';
import type { Redact } from '../../kit/redact.ts';
import { type Locator, locate, locateFirst, type Readable } from '../language/locator.ts';
import type { Meta } from '../model/schema.ts';
import type { AnnouncedEnd, Reported } from '../recorded.ts';
import { asText, locateMs, MOST_TEXT, parseHttpDate, URL_LENGTH, withoutQueryValues } from './reply.ts';

/** The headers in which caches report, by convention, except Cache-Status (RFC 9211). */
const CACHE_HEADERS: ReadonlySet<string> = new Set(['x-cache', 'x-cache-status', 'cf-cache-status', 'cache-status']);

/**
 * Whether the headers say that the reply came from a cache: Age above 0 (RFC 9111), or a word of X-Cache and similar.
 * One header that says so outweighs the others. Null: unknown.
 */
export function cachedByHeaders({ headers }: Pick<Readable, 'headers'>): boolean | null {
  const words = headers.flatMap(([name, value]) => {
    const read = name === 'age' ? cachedByAge(value) : CACHE_HEADERS.has(name) ? cachedByWord(value) : null;
    return read === null ? [] : [read];
  });
  return words.length === 0 ? null : words.includes(true);
}

export function cachedByValue(value: Json | undefined): boolean | null {
  if (typeof value === 'boolean') return value;
  const number = numberIn(value);
  if (number !== null) return number > 0;
  return typeof value === 'string' ? cachedByWord(value) : null;
}

function cachedByAge(value: string): boolean | null {
  return /^\s*\d{1,15}\s*$/.test(value) ? Number(value) > 0 : null;
}

/** `HIT`, `TCP_HIT`, `Hit from cloudfront`, `"edge; hit"`, `STALE`; `MISS`, `DYNAMIC`, `"edge; fwd=uri-miss"`. */
function cachedByWord(value: string): boolean | null {
  if (/hit|stale|revalidated|true/i.test(value)) return true;
  return /miss|bypass|dynamic|expired|pass|fwd|false/i.test(value) ? false : null;
}

const LABEL_LENGTH = 200;

/**
 * What the reply to a submit reports, by the target's `meta`; else, for the cache, by its headers. Headers of later
 * replies do not count: a cache of finished media is no cached answer.
 */
export function readSubmitReported(meta: Meta, reply: Readable, redact: Redact): Reported {
  const reported = readReported(meta, reply, redact);
  const end = announcedEnd(reply, redact);
  return { ...reported, cached: reported.cached ?? cachedByHeaders(reply), ...(end === null ? {} : { end }) };
}

/** Characters kept of a prompt that the server rewrote. */
const PROMPT_LENGTH = 4000;

/** Of several rules of `cost_usd`, the first counts: see `withCostRule`. */
export function readReported(meta: Meta, reply: Readable, redact: Redact): Reported {
  const text = (value: Json | undefined, length = LABEL_LENGTH) =>
    value === undefined ? null : redact(asText(value), length);
  const seed = locateFirst(meta.seed, reply);
  const [model, prompt] = [text(locateFirst(meta.model, reply)), text(locateFirst(meta.prompt, reply), PROMPT_LENGTH)];
  const memoryMb = countAt(meta.memory_mb, reply, 1e9);
  const stages = known(meta.stages, (times) => locateMs(times, reply));
  const usage = known(meta.usage, (at) => countAt(at, reply, MOST_COUNT));
  return {
    requestId: text(locateFirst(meta.request_id, reply)),
    seedEcho: text(isList(seed) && seed.length === 1 ? seed[0] : seed),
    serverMs: locateMs(meta.inference, reply),
    costUsd: costOf(meta.cost_usd?.[0]?.sum, reply),
    cached: cachedByValue(locateFirst(meta.cached, reply)),
    ...(model === null ? {} : { model }),
    ...(prompt === null ? {} : { prompt }),
    ...(memoryMb === null ? {} : { memoryMb }),
    ...(stages === null ? {} : { stages }),
    ...(usage === null ? {} : { usage }),
  };
}

/** The values that are known, by name; null if none is. */
function known<T>(
  places: Readonly<Record<string, T>>,
  read: (place: T) => number | null,
): Readonly<Record<string, number>> | null {
  const values = Object.entries(places).flatMap(([name, place]) => {
    const value = read(place);
    return value === null ? [] : [[name, value] as const];
  });
  return values.length === 0 ? null : Object.fromEntries(values);
}

/** A larger count is ignored, so that sums stay finite. */
const MOST_COUNT = 1e15;

function countAt(at: readonly Locator[] | undefined, reply: Readable, most: number): number | null {
  const value = numberIn(locateFirst(at, reply));
  return value !== null && value >= 0 && value <= most ? value : null;
}

type CostParts = NonNullable<Meta['cost_usd']>[number]['sum'];

/** Null if nothing is found, or not all that must be: a sum without it would be too low. */
function costOf(parts: CostParts = [], reply: Readable): number | null {
  const counts = parts.map(({ at }) => countAt(at, reply, MOST_COUNT));
  if (counts.every((found) => found === null)) return null;
  if (parts.some(({ optional }, index) => !optional && counts[index] === null)) return null;
  const usd = parts.reduce((sum, { each }, index) => sum + each * (counts[index] ?? 0), 0);
  return usd <= MOST_USD ? usd : null;
}

/** What RFC 9745 (`Deprecation: @1688169599`), RFC 8594 (`Sunset`, an HTTP date) and `Link` say; null if nothing. */
function announcedEnd(reply: Readable, redact: Redact): AnnouncedEnd | null {
  if (!reply.headers.some(([name]) => name === 'deprecation' || name === 'sunset')) return null;
  const header = (name: string) => locate({ at: 'header', name }, reply);
  const [deprecation, sunset, link] = [header('deprecation'), header('sunset'), header('link')].map((value) =>
    typeof value === 'string' ? value.slice(0, MOST_TEXT).trim() : null,
  );
  const [, seconds] = /^@(\d{1,11})$/.exec(deprecation ?? '') ?? [];
  const deprecatedMs = seconds === undefined ? parseHttpDate(deprecation ?? '') : Number(seconds) * 1000;
  const endsMs = parseHttpDate(sunset ?? '');
  if (deprecatedMs === null && endsMs === null && deprecation !== 'true') return null;
  const [, successor] = [...(link ?? '').matchAll(LINK)].find(([, , more = '']) => SUCCESSOR.test(more)) ?? [];
  return {
    deprecatedOn: dayOf(deprecatedMs),
    endsOn: dayOf(endsMs),
    successor: successor === undefined ? null : redact(withoutQueryValues(successor), URL_LENGTH),
  };
}

/** The URL and the parameters of each link (RFC 8288). */
const LINK = /<([^<>]*)>((?:\s*;\s*[\w*-]+(?:\s*=\s*(?:"[^"]*"|[^\s",;<>]*))?)*)/g;
const SUCCESSOR = /;\s*rel\s*=\s*"?[^";]*\bsuccessor-version\b/i;

/** Null for a year of more than four digits. */
function dayOf(ms: number | null): string | null {
  const day = ms === null ? '' : new Date(ms).toISOString().split('T', 1)[0];
  return day?.length === 10 ? day : null;
}

/** Combines two reports on one request: the first identifies it, the last says how it ended. */
export function mergeReported(earlier: Reported, later: Reported): Reported {
  const [stages, usage] = [earlier.stages ?? later.stages, earlier.usage ?? later.usage];
  return {
    ...earlier,
    ...later,
    requestId: earlier.requestId ?? later.requestId,
    seedEcho: later.seedEcho ?? earlier.seedEcho,
    serverMs: later.serverMs ?? earlier.serverMs,
    costUsd: later.costUsd ?? earlier.costUsd,
    cached: later.cached ?? earlier.cached,
    ...(stages === undefined ? {} : { stages: { ...earlier.stages, ...later.stages } }),
    ...(usage === undefined ? {} : { usage: { ...earlier.usage, ...later.usage } }),
  };
}
