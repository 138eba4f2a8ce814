import type { Json } from '../../suite/document/json.ts';
import { type ReadJson, readJson } from '../language/json-limits.ts';
import { locateFirst, type Readable } from '../language/locator.ts';
import { type Meta, MOST_COST_USD } from '../model/target.ts';
import { MESSAGE_LENGTH, type Redact } from '../secrets/redact.ts';
import type { TransportReply } from '../transport/wire.ts';
import { cachedByHeaders, cachedByValue } from './cached.ts';
import { locateMs } from './throttle.ts';

/** What the server itself says. */
export interface Reported {
  readonly requestId: string | null;
  readonly seedEcho: string | null;
  readonly serverMs: number | null;
  readonly costUsd: number | null;
  /** Whether it was served from a cache; null where nothing is said. */
  readonly cached: boolean | null;
}

export const NOTHING_REPORTED: Reported = {
  requestId: null,
  seedEcho: null,
  serverMs: null,
  costUsd: null,
  cached: null,
};

/** Bytes of a body that a message is made of: far more than one shows, since secrets in it are redacted first. */
const BEGINNING_BYTES = 256 * 1024;

/** Characters of a request id or seed that are kept. */
const LABEL_LENGTH = 200;

/** A reply as locators read it; text and JSON are made when first asked for, and once. */
export function readableReply({
  status,
  headers,
  body,
}: Pick<TransportReply, 'status' | 'headers' | 'body'>): Readable {
  let text: string | null = null;
  let json: ReadJson | null = null;
  const asJson = () => {
    // An image is not decoded as text only to see that it is none.
    json ??= beginsLikeJson(body) ? readJson(body) : { value: undefined, refused: null };
    return json;
  };
  return {
    status,
    headers,
    text: () => {
      text ??= new TextDecoder().decode(body);
      return text;
    },
    beginning: () => new TextDecoder().decode(body.subarray(0, BEGINNING_BYTES)),
    json: () => asJson().value,
    jsonRefused: () => asJson().refused,
  };
}

/** The media type a reply declares, without parameters and in lower case; null where it declares none. */
export function declaredMime({ headers }: Pick<Readable, 'headers'>): string | null {
  const [, value = ''] = headers.find(([name]) => name === 'content-type') ?? [];
  const [, mime] = /^\s*([a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60})\s*(?:;|$)/i.exec(value) ?? [];
  return mime?.toLowerCase() ?? null;
}

/**
 * What the reply to a submit says of itself: by the target's `meta`, and where that says nothing of a cache, by the headers
 * that caches set. Those of later replies do not count: a cache that keeps finished media made no answer from memory.
 */
export function readSubmitReported(meta: Meta, reply: Readable, redact: Redact): Reported {
  const reported = readReported(meta, reply, redact);
  return { ...reported, cached: reported.cached ?? cachedByHeaders(reply) };
}

/** What a reply says of itself by the target's `meta`. */
export function readReported(meta: Meta, reply: Readable, redact: Redact): Reported {
  const label = (value: Json | undefined) => (value === undefined ? null : redact(asText(value), LABEL_LENGTH));
  const cost = Number(locateFirst(meta.cost.at, reply) ?? Number.NaN) * meta.cost.usdEach;
  return {
    requestId: label(locateFirst(meta.requestId, reply)),
    seedEcho: label(locateFirst(meta.seed, reply)),
    serverMs: locateMs(meta.inference, reply),
    costUsd: cost >= 0 && cost <= MOST_COST_USD ? cost : null,
    cached: cachedByValue(locateFirst(meta.cached, reply)),
  };
}

/** A located value as text. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A reply in a message: the beginning of its body where that is text, else its media type. Not yet redacted. */
export function showReply(reply: Readable): string {
  if (reply.json() !== undefined) return reply.beginning();
  const mime = declaredMime(reply);
  return mime !== null && TEXTUAL.test(mime) ? reply.beginning() : `a body of type ${mime ?? 'unknown'}`;
}

const TEXTUAL = /^(text\/|application\/(.*\+)?(json|xml))/i;

/** The beginning of a textual body, for want of a message; empty for another. */
export function bodySnippet(reply: Readable, redact: Redact): string {
  const mime = declaredMime(reply);
  return mime !== null && TEXTUAL.test(mime) ? redact(reply.beginning(), MESSAGE_LENGTH) : '';
}

/** What two statements about one request come to: the first names it, the last says how it went. */
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
