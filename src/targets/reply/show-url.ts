import { isList, isObject, type Json, type JsonObject } from '../../kit/json.ts';
import type { Redact } from '../../kit/visible.ts';
import { httpUrl } from '../origins.ts';
import { asText } from './reply.ts';

/** Characters shown of a URL, and of a captured value. */
const URL_LENGTH = 300;
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
