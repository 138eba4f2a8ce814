import type { Json } from '../../suite/document/json.ts';
import {
  type Locator,
  locateAll,
  locateFirst,
  type Readable,
  readableItem,
  showLocators,
} from '../language/locator.ts';
import type { ResultRule } from '../model/target.ts';
import type { TransportReply } from '../transport/wire.ts';
import { declaredMime } from './reply.ts';

/** One output as it came. */
export interface Asset {
  readonly bytes: Uint8Array;
  /** What the server said it is. */
  readonly declaredMime: string | null;
}

export type Assets = readonly [Asset, ...Asset[]];

/** What a reply that is no failure holds. */
export type Output =
  | { readonly found: 'assets'; readonly assets: Assets }
  /** As written in the reply; possibly relative. */
  | { readonly found: 'urls'; readonly urls: readonly [string, ...string[]] }
  /** The message names the place that was looked at, not what stood there. */
  | { readonly found: 'nothing'; readonly code: string; readonly message: string };

/** More outputs of one request than any API gives; a hostile reply ends there. */
const MOST_ITEMS = 64;

/** Finds the outputs of a reply by the target's `result`. */
export function readOutput(
  rule: ResultRule,
  reply: Pick<TransportReply, 'headers' | 'body'>,
  readable: Readable,
): Output {
  if (rule.from === 'body') {
    return { found: 'assets', assets: [{ bytes: reply.body, declaredMime: declaredMime(reply) }] };
  }
  const needsJson = [...(rule.items ?? []), ...rule.at].every(({ at }) => at === 'json');
  const places = showLocators(rule.items ?? rule.at);
  if (needsJson && readable.json() === undefined) {
    return nothing('bad_json', `the reply is not JSON; the result should be at ${places}`);
  }
  const texts: string[] = [];
  for (const [index, item] of itemsOf(rule.items, readable).entries()) {
    const text = locateFirst(rule.at, item);
    const where = rule.items === null ? '' : ` of item ${index + 1} at ${places}`;
    if (typeof text !== 'string') return nothing('no_result', `no text at ${showLocators(rule.at)}${where}`);
    texts.push(text);
  }
  const [first, ...others] = texts;
  if (first === undefined) return nothing('no_result', `the reply holds no outputs at ${places}`);
  if (texts.length > MOST_ITEMS) return nothing('too_many_items', `the reply holds more than ${MOST_ITEMS} outputs`);
  if (rule.from === 'url') return { found: 'urls', urls: [first, ...others] };
  return decodeAll(rule.from, [first, ...others], showLocators(rule.at));
}

function itemsOf(items: readonly Locator[] | null, reply: Readable): readonly Readable[] {
  if (items === null) return [reply];
  for (const locator of items) {
    const found = locateAll(locator, reply);
    // A path to the list itself means its items.
    const [only] = found;
    const list: readonly Json[] = found.length === 1 && isList(only) ? only : found;
    if (list.length > 0) return list.slice(0, MOST_ITEMS + 1).map((item) => readableItem(reply, item));
  }
  return [];
}

function decodeAll(
  from: 'b64' | 'data_uri',
  [first, ...others]: readonly [string, ...string[]],
  places: string,
): Output {
  const decode = from === 'b64' ? decodeBase64 : decodeDataUri;
  const code = from === 'b64' ? 'bad_base64' : 'bad_data_uri';
  const head = decode(first);
  const tail = others.flatMap((text) => decode(text) ?? []);
  if (head === null || tail.length < others.length) {
    return nothing(code, `the value at ${places} is not ${from === 'b64' ? 'base64' : 'a data URI with base64'}`);
  }
  return { found: 'assets', assets: [head, ...tail] };
}

/** Base64 or its URL-safe form (RFC 4648), with or without padding and line breaks; null for anything else, and for nothing. */
function decodeBase64(lines: string): Asset | null {
  const text = /\s/.test(lines) ? lines.replace(/\s+/g, '') : lines;
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  const decoded = Buffer.from(text, 'base64');
  return decoded.byteLength === 0 ? null : { bytes: new Uint8Array(decoded), declaredMime: null };
}

/** `data:image/png;base64,...` (RFC 2397); null for anything else, percent-encoded data among it. */
function decodeDataUri(text: string): Asset | null {
  const comma = text.indexOf(',');
  const head = DATA_URI_HEAD.exec(text.slice(0, Math.min(Math.max(0, comma), 200)));
  const asset = head === null ? null : decodeBase64(text.slice(comma + 1));
  return asset === null ? null : { ...asset, declaredMime: head?.[1]?.toLowerCase() ?? null };
}

const DATA_URI_HEAD = /^data:([a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+)?(?:;[^;,]*)*;base64$/i;

function nothing(code: string, message: string): Output {
  return { found: 'nothing', code, message };
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
