import { isList, isObject, type Json } from '../../kit/json.ts';
import { sniff } from '../../media/header.ts';
import {
  type Locator,
  locateAll,
  locateFirst,
  type Readable,
  readableItem,
  showLocators,
} from '../language/locator.ts';
import type { ResultRule } from '../target.ts';
import type { TransportReply } from '../wire.ts';
import { declaredMime } from './reply.ts';

export interface Asset {
  readonly bytes: Uint8Array;
  readonly declaredMime: string | null;
}

export type Assets = readonly [Asset, ...Asset[]];

export type ReplyOutput =
  | { readonly found: 'assets'; readonly assets: Assets }
  | { readonly found: 'urls'; readonly urls: readonly [string, ...string[]] }
  /** The message names the place, not its value. */
  | { readonly found: 'nothing'; readonly code: string; readonly message: string };

/** More outputs than any API gives; limits a hostile reply. */
const MOST_ITEMS = 64;

export function readOutput(
  rule: ResultRule,
  reply: Pick<TransportReply, 'headers' | 'body'>,
  readable: Readable,
): ReplyOutput {
  if (rule.from === 'body') {
    const inside = sniff(reply.body) === null ? placeOfMedia(readable.json(), rule) : null;
    if (inside !== null) return nothing('no_result', `the body is JSON, not an output; ${inside}`);
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
    if (typeof text !== 'string') {
      const hint = placeOfMedia(readable.json(), rule);
      return nothing('no_result', `no text at ${showLocators(rule.at)}${where}${hint === null ? '' : `; ${hint}`}`);
    }
    texts.push(text);
  }
  const [first, ...others] = texts;
  if (first === undefined) return nothing('no_result', `the reply holds no outputs at ${places}`);
  if (texts.length > MOST_ITEMS) return nothing('too_many_items', `the reply holds more than ${MOST_ITEMS} outputs`);
  if (rule.from === 'url' && !texts.every(isDataUri)) return { found: 'urls', urls: [first, ...others] };
  if (rule.from === 'text') return { found: 'assets', assets: [textAsset(first), ...others.map(textAsset)] };
  return decodeAll(rule.from === 'b64' ? 'b64' : 'data_uri', [first, ...others], showLocators(rule.at));
}

function isMedia(text: string): boolean {
  return /^[\w+/-]{64}/.test(text) && sniff(Buffer.from(text.slice(0, 64), 'base64')) !== null;
}

const MEDIA_URI = /^data:(image|video)\//i;

/** Values in which a URL is searched, and the longest path shown: limits for a hostile reply. */
const MOST_LOOKED_AT = 2000;
const LONGEST_PATH = 100;

/** Where a reply has a URL or media in base64, shortest paths first, and the rule that reads it; null if nowhere. */
function placeOfMedia(json: Json | undefined, { expect }: ResultRule): string | null {
  const found = (what: string, from: ResultRule['from'], path: string) => {
    const expected = expect === null ? '' : `, expect: ${expect}`;
    const at = path.replaceAll("'", "''");
    return `${what} is at ${path}: write result: { from: ${from}, at: '${at}'${expected} } in the target`;
  };
  const queue: (readonly [path: string, value: Json])[] = json === undefined ? [] : [['$', json]];
  for (const [path, value] of queue) {
    if (typeof value === 'string' && /^https?:\/\/[^/]/.test(value)) return found('a URL', 'url', path);
    if (typeof value === 'string' && isMedia(value)) return found('base64 of media', 'b64', path);
    if (typeof value === 'string' && MEDIA_URI.test(value)) return found('a data URI', 'data_uri', path);
    const inner: readonly (readonly [string, Json])[] = isList(value)
      ? value.map((item, index) => [`[${index}]`, item] as const)
      : isObject(value)
        ? Object.entries(value).map(([key, child]) => [
            /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
            child,
          ])
        : [];
    for (const [step, child] of inner) {
      if (queue.length >= MOST_LOOKED_AT) break;
      if (path.length + step.length <= LONGEST_PATH) queue.push([`${path}${step}`, child]);
    }
  }
  return null;
}

function itemsOf(items: readonly Locator[] | null, reply: Readable): readonly Readable[] {
  if (items === null) return [reply];
  for (const locator of items) {
    const nodes = locateAll(locator, reply);
    // A path to the list itself means its items.
    const [only] = nodes;
    const list: readonly Json[] = nodes.length === 1 && isList(only) ? only : nodes;
    if (list.length > 0) return list.slice(0, MOST_ITEMS + 1).map((item) => readableItem(reply, item));
  }
  return [];
}

function decodeAll(
  from: 'b64' | 'data_uri',
  [first, ...others]: readonly [string, ...string[]],
  places: string,
): ReplyOutput {
  const decode = (text: string) => (from === 'b64' && !isDataUri(text) ? decodeBase64(text) : decodeDataUri(text));
  const code = from === 'b64' ? 'bad_base64' : 'bad_data_uri';
  const head = decode(first);
  const tail = others.flatMap((text) => decode(text) ?? []);
  if (head === null || tail.length < others.length) {
    return nothing(code, `the value at ${places} is not ${from === 'b64' ? 'base64' : 'a data URI'}`);
  }
  return { found: 'assets', assets: [head, ...tail] };
}

function textAsset(text: string): Asset {
  return { bytes: new TextEncoder().encode(text), declaredMime: null };
}

/** Base64 or its URL-safe form (RFC 4648), with or without padding and line breaks; null for other or empty text. */
function decodeBase64(lines: string): Asset | null {
  const text = /\s/.test(lines) ? lines.replace(/\s+/g, '') : lines;
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  const decoded = Buffer.from(text, 'base64');
  return decoded.byteLength === 0 ? null : { bytes: new Uint8Array(decoded), declaredMime: null };
}

function isDataUri(text: string): boolean {
  return /^data:/i.test(text);
}

/** `data:image/png;base64,...`, or percent-encoded without `;base64` (RFC 2397); null for other or empty text. */
export function decodeDataUri(text: string): Asset | null {
  const comma = text.indexOf(',');
  const head = DATA_URI_HEAD.exec(text.slice(0, Math.min(Math.max(0, comma), 200)));
  if (head === null) return null;
  const [, mime, parameters = ''] = head;
  const data = percentDecoded(text.slice(comma + 1));
  const isBase64 = /;\s*base64$/i.test(parameters);
  const bytes = isBase64 ? decodeBase64(data)?.bytes : new Uint8Array(Buffer.from(data, 'latin1'));
  if (bytes === undefined || bytes.byteLength === 0) return null;
  return { bytes, declaredMime: mime?.toLowerCase() ?? null };
}

const DATA_URI_HEAD = /^data:([a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+)?((?:;[^;,]*)*)$/i;

/** A character for each byte. A `%` that begins no byte stands for itself. */
function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
}

function nothing(code: string, message: string): ReplyOutput {
  return { found: 'nothing', code, message };
}
