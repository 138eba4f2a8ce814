import { isList, type Json } from '../../kit/json.ts';
import { MOST_USD } from '../../kit/most-usd.ts';
import { MESSAGE_LENGTH, type Redact } from '../../kit/redact.ts';
import { type ReadJson, readJson } from '../language/json-limits.ts';
import { locateFirst, type Readable } from '../language/locator.ts';
import type { Meta } from '../model/schema.ts';
import type { TransportReply } from '../wire.ts';
import { locateMs } from './throttle.ts';

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
  if (typeof value === 'number') return value > 0;
  return typeof value === 'string' ? (cachedByAge(value) ?? cachedByWord(value)) : null;
}

function cachedByAge(value: string): boolean | null {
  return /^\s*\d{1,15}\s*$/.test(value) ? Number(value) > 0 : null;
}

/** `HIT`, `TCP_HIT`, `Hit from cloudfront`, `"edge; hit"`, `STALE`; `MISS`, `DYNAMIC`, `"edge; fwd=uri-miss"`. */
function cachedByWord(value: string): boolean | null {
  if (/hit|stale|revalidated|true/i.test(value)) return true;
  return /miss|bypass|dynamic|expired|pass|fwd|false/i.test(value) ? false : null;
}

export interface Reported {
  readonly requestId: string | null;
  readonly seedEcho: string | null;
  readonly serverMs: number | null;
  readonly costUsd: number | null;
  readonly cached: boolean | null;
}

export const NOTHING_REPORTED: Reported = {
  requestId: null,
  seedEcho: null,
  serverMs: null,
  costUsd: null,
  cached: null,
};

/** Bytes for a message: far more than it shows, because secrets are redacted first. */
const BEGINNING_BYTES = 256 * 1024;

const LABEL_LENGTH = 200;

/** Text and JSON are made once, on demand. */
export function readableReply(
  { status, headers, body }: Pick<TransportReply, 'status' | 'headers' | 'body'>,
  receivedMs?: number,
): Readable {
  let text: string | null = null;
  let json: ReadJson | null = null;
  const asJson = () => {
    // An image is not decoded as text only to see that it is not JSON.
    json ??= beginsLikeJson(body) ? readJson(body) : { value: undefined, refused: null };
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

/**
 * What the reply to a submit reports, by the target's `meta`; else, for the cache, by its headers. Headers of later
 * replies do not count: a cache of finished media is no cached answer.
 */
export function readSubmitReported(meta: Meta, reply: Readable, redact: Redact): Reported {
  const reported = readReported(meta, reply, redact);
  return { ...reported, cached: reported.cached ?? cachedByHeaders(reply) };
}

export function readReported(meta: Meta, reply: Readable, redact: Redact): Reported {
  const label = (value: Json | undefined) => (value === undefined ? null : redact(asText(value), LABEL_LENGTH));
  const seed = locateFirst(meta.seed, reply);
  const cost = Number(locateFirst(meta.cost_usd?.at, reply) ?? Number.NaN) * (meta.cost_usd?.each ?? 1);
  return {
    requestId: label(locateFirst(meta.request_id, reply)),
    seedEcho: label(isList(seed) && seed.length === 1 ? seed[0] : seed),
    serverMs: locateMs(meta.inference, reply),
    costUsd: cost >= 0 && cost <= MOST_USD ? cost : null,
    cached: cachedByValue(locateFirst(meta.cached, reply)),
  };
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

/** Combines two reports on one request: the first identifies it, the last says how it ended. */
export function mergeReported(earlier: Reported, later: Reported): Reported {
  return {
    requestId: earlier.requestId ?? later.requestId,
    seedEcho: later.seedEcho ?? earlier.seedEcho,
    serverMs: later.serverMs ?? earlier.serverMs,
    costUsd: later.costUsd ?? earlier.costUsd,
    cached: later.cached ?? earlier.cached,
  };
}

function beginsLikeJson(body: Uint8Array): boolean {
  const start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  for (let at = start; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
    return '{["-0123456789tfn'.includes(String.fromCharCode(byte));
  }
  return false;
}
