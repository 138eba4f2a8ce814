import type { Json } from '../../suite/document/json.ts';
import type { Readable } from '../language/locator.ts';

/** The headers in which caches on the way say what they did: a word of their own, but RFC 9211 for Cache-Status. */
const CACHE_HEADERS: ReadonlySet<string> = new Set(['x-cache', 'x-cache-status', 'cf-cache-status', 'cache-status']);

/**
 * Whether a reply says that it was served from a cache, by its headers: Age above 0 (RFC 9111), or a word of X-Cache and its
 * like. One that says so holds against others that do not. Null: nothing is said.
 */
export function cachedByHeaders({ headers }: Pick<Readable, 'headers'>): boolean | null {
  const said = headers.flatMap(([name, value]) => {
    const read = name === 'age' ? cachedByAge(value) : CACHE_HEADERS.has(name) ? cachedByWord(value) : null;
    return read === null ? [] : [read];
  });
  return said.length === 0 ? null : said.includes(true);
}

/** What a value that a target names says of it: a boolean, an age in seconds, or a word as caches write it. */
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
