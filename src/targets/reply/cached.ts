import type { Json } from '../../suite/document/json.ts';
import type { Readable } from '../language/locator.ts';

/** The headers in which caches report, by convention, except Cache-Status (RFC 9211). */
const CACHE_HEADERS: ReadonlySet<string> = new Set(['x-cache', 'x-cache-status', 'cf-cache-status', 'cache-status']);

/**
 * Whether the headers say that the reply came from a cache: Age above 0 (RFC 9111), or a word of X-Cache and similar.
 * One header that says so outweighs the others. Null: unknown.
 */
export function cachedByHeaders({ headers }: Pick<Readable, 'headers'>): boolean | null {
  const said = headers.flatMap(([name, value]) => {
    const read = name === 'age' ? cachedByAge(value) : CACHE_HEADERS.has(name) ? cachedByWord(value) : null;
    return read === null ? [] : [read];
  });
  return said.length === 0 ? null : said.includes(true);
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
