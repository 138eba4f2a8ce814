import { JSONPathEnvironment, type JSONPathQuery } from 'json-p3';
import type { Fault } from '../../kit/diagnostic.ts';
import type { Json } from '../../kit/json.ts';
import { readJsonText } from './json-limits.ts';
import { serverTimings } from './server-timing.ts';
import { outsideQuotes } from './template.ts';

/**
 * The read language: the place of a value in a reply.
 *
 * - `status`: the HTTP status, a number
 * - `header:NAME`: that header, several joined by `, `
 * - `timing:NAME`: the milliseconds of that metric of the header Server-Timing, of several the first with a time
 * - `body`: the whole body as text
 * - an RFC 9535 JSONPath (`$.images[0].url`): the first node it selects in a JSON body
 * - `json:$.info>$.seed`: the first path selects text that contains JSON, the next reads in that
 * - `last:$.parts[*].data`, `last:json:...`: the last node instead of the first
 *
 * The first locator of a list with a value that is not empty counts. Null, an empty text, list and object are empty; 0
 * and false are not. Nothing is evaluated as code.
 */
export type Locator =
  | { readonly at: 'status' }
  | { readonly at: 'header' | 'timing'; readonly name: string }
  | { readonly at: 'body' }
  | { readonly at: 'json'; readonly paths: readonly string[]; readonly last?: true };

/** A time in a reply and the milliseconds of its unit; null: by the header's name, else seconds. */
export interface TimeLocator {
  readonly locators: readonly Locator[];
  readonly unitMs: number | null;
}

export interface Readable {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body as text, decoded on demand. */
  readonly text: () => string;
  readonly beginning: () => string;
  /** Undefined if the body is not JSON, or more than is parsed. */
  readonly json: () => Json | undefined;
  /** Why it is more JSON than is parsed; else null. */
  readonly jsonRefused: () => string | null;
  /** When it came, by the wall clock, in milliseconds since 1970; absent: unknown. */
  readonly receivedMs?: number | undefined;
}

export type ParsedLocator = { readonly ok: true; readonly locator: Locator } | ({ readonly ok: false } & Fault);

/** Depth of a descendant path: beyond it, a hostile reply counts as not found. */
const ENVIRONMENT = new JSONPathEnvironment({ maxRecursionDepth: 200 });
const MAX_TEXT = 8 * 1024 * 1024;
const compiled = new Map<string, JSONPathQuery>();

/** Compiles its paths. Never throws. */
export function parseLocator(source: string): ParsedLocator {
  const text = source.trim();
  if (text === 'status' || text === 'body') return { ok: true, locator: { at: text } };
  const [, at, named = ''] = /^(header|timing):\s*(.*)$/s.exec(text) ?? [];
  if (at === 'header' || at === 'timing') {
    // A name of Server-Timing keeps its capitals.
    const name = at === 'header' ? named.toLowerCase() : named;
    if (/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return { ok: true, locator: { at, name } };
    const what = at === 'header' ? 'header name' : 'name of a server timing';
    return { ok: false, cause: `"${name}" is not a valid ${what}`, remedy: `write ${at}:NAME` };
  }
  if (/^last: *(\$|json:)/.test(text)) {
    const parsed = parseLocator(text.slice('last:'.length));
    return parsed.ok && parsed.locator.at === 'json'
      ? { ok: true, locator: { ...parsed.locator, last: true } }
      : parsed;
  }
  if (!text.startsWith('$') && !text.startsWith('json:')) {
    const remedy =
      'write status, header:NAME, timing:NAME, body, a JSONPath that begins with "$", json:$.a>$.b, or last:$.a';
    return { ok: false, cause: `"${source}" is not a valid locator`, remedy };
  }
  const paths = text.startsWith('json:') ? splitPaths(text.slice('json:'.length)) : [text];
  for (const path of paths) {
    const error = compileError(path);
    if (error !== null)
      return { ok: false, cause: `"${path}" is not a valid JSONPath: ${error}`, remedy: 'see RFC 9535' };
  }
  return { ok: true, locator: { at: 'json', paths } };
}

export function showLocator(locator: Locator): string {
  switch (locator.at) {
    case 'header':
    case 'timing':
      return `${locator.at}:${locator.name}`;
    case 'json':
      return `${locator.last ? 'last:' : ''}${locator.paths.length === 1 ? '' : 'json:'}${locator.paths.join('>')}`;
    default:
      return locator.at;
  }
}

/** Locators as messages name them. */
export function showLocators(locators: readonly Locator[]): string {
  return locators.map(showLocator).join(' or ');
}

/** The value at a locator; undefined if there is none, or an empty one. */
export function locate(locator: Locator, reply: Readable): Json | undefined {
  const values = locateAll(locator, reply);
  const value = 'last' in locator ? values.at(-1) : values[0];
  return value === undefined || isEmpty(value) ? undefined : value;
}

/** The first value that is not empty. */
export function locateFirst(locators: readonly Locator[] = [], reply: Readable): Json | undefined {
  for (const locator of locators) {
    const value = locate(locator, reply);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** All selected values, in order; more than one only for a JSONPath. */
export function locateAll(locator: Locator, reply: Readable): readonly Json[] {
  switch (locator.at) {
    case 'status':
      return [reply.status];
    case 'body':
      return [reply.text()];
    case 'header': {
      const values = reply.headers.flatMap(([name, value]) => (name === locator.name ? [value] : []));
      return values.length === 0 ? [] : [values.join(', ')];
    }
    case 'timing':
      return serverTimings(reply.headers).flatMap(({ name, ms }) => (name === locator.name && ms !== null ? [ms] : []));
    case 'json': {
      const json = reply.json();
      return json === undefined ? [] : followPaths(locator.paths, json);
    }
  }
}

/** A value as a reply of its own, for locators relative to it. */
export function readableItem(reply: Readable, item: Json): Readable {
  return { ...reply, json: () => item };
}

function followPaths(paths: readonly string[], json: Json): readonly Json[] {
  const [path = '$', ...inner] = paths;
  const nodes = select(path, json);
  if (inner.length === 0) return nodes;
  const [text] = nodes;
  if (typeof text !== 'string' || text.length > MAX_TEXT) return [];
  const nested = readJsonText(text).value;
  return nested === undefined ? [] : followPaths(inner, nested);
}

function select(path: string, json: Json): readonly Json[] {
  try {
    // The library's types ask for mutable values; it does not change them.
    return query(path)
      .query(json as Parameters<JSONPathQuery['query']>[0])
      .values() as Json[];
  } catch {
    return []; // At a limit: nothing found.
  }
}

/** The cache stays small: a target has a few dozen paths at most. */
function query(path: string): JSONPathQuery {
  const known = compiled.get(path);
  if (known !== undefined) return known;
  const fresh = ENVIRONMENT.compile(path);
  compiled.set(path, fresh);
  return fresh;
}

function compileError(path: string): string | null {
  if (!path.startsWith('$')) return 'it does not begin with "$"';
  if (path.length > 1000) return 'it is longer than 1,000 characters';
  try {
    query(path);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Splits `$.info>$.seed` at each `>` outside brackets and quotes and before a `$`. */
function splitPaths(source: string): string[] {
  const paths: string[] = [];
  let brackets = 0;
  let from = 0;
  for (const at of outsideQuotes(source)) {
    const character = source.charAt(at);
    if (character === '[') brackets += 1;
    else if (character === ']') brackets -= 1;
    else if (character === '>' && brackets === 0) {
      paths.push(source.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...paths, source.slice(from).trim()];
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
