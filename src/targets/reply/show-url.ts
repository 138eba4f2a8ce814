import { isList, isObject, type Json, type JsonObject } from '../../suite/document/json.ts';
import { httpUrl } from '../model/origins.ts';
import type { Redact } from '../secrets/redact.ts';
import { asText } from './reply.ts';

/** Characters of a URL, and of a captured value, that are shown. */
const URL_LENGTH = 300;
const VALUE_LENGTH = 120;

/**
 * A URL as it may be shown: where it leads is plain to see, the values of its query are left out, since a signature may
 * stand there, and secrets anywhere in it are redacted. What is not sent (user, password, fragment) is left out too.
 */
export function showUrl(text: string, redact: Redact): string {
  const url = httpUrl(text);
  return url === null ? '' : redact(`${url.origin}${url.pathname}${withoutValues(url.search)}`, URL_LENGTH);
}

/** Captured values as they may be shown: URLs in them without the values of their query. */
export function showValues(values: JsonObject, redact: Redact): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, showValue(value, redact)]));
}

function showValue(value: Json, redact: Redact): Json {
  if (typeof value !== 'string' && !isList(value) && !isObject(value)) return value;
  // A query may be longer than what is shown of the value it stands in.
  const text = redact(asText(value), 20 * VALUE_LENGTH);
  return redact(withoutQueryValues(text), VALUE_LENGTH);
}

/**
 * A text in which the queries of URLs, absolute or from their path on, are without their values: a signature may stand there. Also
 * within JSON.
 */
export function withoutQueryValues(text: string): string {
  // Word by word: the time of one pattern over a long text of slashes would be its square.
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
