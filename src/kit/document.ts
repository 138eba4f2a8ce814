import { Composer, type CST, Lexer, LineCounter, Parser } from 'yaml';
import { type Checked, type Diagnostic, diagnoseFrom, type Fault, type Place, type Source } from './diagnostic.ts';
import { isList, isObject, type Json, MOST_LEVELS } from './json.ts';
import { findSyntaxFault } from './syntax-fault.ts';
import { MAX_VALUES, readTree, type Spot, TOO_DEEP, TOO_MANY_VALUES } from './tree.ts';

/** Keys of mappings and indices of lists, from the root. */
export type Path = readonly (string | number)[];

export interface Document {
  /** As diagnostics print it. */
  readonly file: string;
  readonly value: Json;
  /** `key`: the place of its key. A missing value has the place of the nearest mapping or list around it. */
  readonly placeOf: (path: Path, at?: 'key' | 'value') => Place;
  /** The comment behind unquoted text at `path`, without "#"; null: none. */
  readonly commentAt: (path: Path) => string | null;
  /** The option that set the value at `path`: `--set load.concurrency=8`; null: the file did. */
  readonly setBy: (path: Path) => string | null;
  /** What variables were put into the text at `path`; null: it names none. */
  readonly filledAt: (path: Path) => Filled | null;
}

/** A text that names variables. */
export interface Filled {
  /** As written. */
  readonly text: string;
  /** The first variable in it, even if its default was used. */
  readonly first: string;
  /** The variables used; empty if only defaults of `${env.X:-default}`. */
  readonly given: readonly string[];
}

/** Indents, marks, texts and line ends of all values: more than anyone needs. */
const MOST_LEXEMES = 6 * MAX_VALUES;

/**
 * Reads one YAML 1.2 or JSON document. Diagnostics for what JSON cannot express: several documents, keys other than
 * strings, duplicate keys, tags, infinite or inexact numbers, aliases without an anchor or with too many values.
 * `file`: the name in diagnostics.
 */
export function parseDocument(file: string, text: string): Checked<Document> {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const lines = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const tokens = readTokens(source, lines);
  if (tokens === null) {
    const fault = {
      cause: `more than ${MOST_LEXEMES} words and marks`,
      remedy: 'write fewer, or move them to other files',
    };
    return { ok: false, diagnostics: [{ place: placeAt(0), ...fault }] };
  }
  const [extreme] = tokens.flatMap((token) => findExtreme(token) ?? []);
  if (extreme !== undefined) {
    const { offset, ...fault } = extreme;
    return { ok: false, diagnostics: [{ place: placeAt(offset), ...fault }] };
  }

  // `readTree` reports duplicate keys; the composer's own check is quadratic.
  const documents = firstTwo(new Composer({ version: '1.2', uniqueKeys: false }).compose(tokens));
  const [first, second] = documents;
  const diagnostics: Diagnostic[] = documents.flatMap((document) => {
    const fault = findSyntaxFault(document, source);
    return fault === null ? [] : [{ place: placeAt(fault.offset), cause: fault.cause, remedy: fault.remedy }];
  });
  if (second !== undefined && diagnostics.length === 0) {
    const place = placeAt(second.contents?.range[0] ?? second.range[0]);
    diagnostics.push({ place, cause: 'a second document begins here', remedy: 'keep one document in a file' });
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics };

  const tree = readTree(first?.contents ?? null);
  if (!tree.ok) {
    return {
      ok: false,
      diagnostics: tree.faults.map(({ offset, cause, remedy }) => ({ place: placeAt(offset), cause, remedy })),
    };
  }
  const placeOf = (path: Path, at: 'key' | 'value' = 'value') => placeAt(offsetOf(tree.spot, path, at));
  const commentAt = (path: Path) => spotAt(tree.spot, path)?.comment ?? null;
  return { ok: true, value: { file, value: tree.value, placeOf, commentAt, ...AS_WRITTEN } };
}

/** For a document that nothing was put into. */
export const AS_WRITTEN: Pick<Document, 'setBy' | 'filledAt'> = {
  setBy: () => null,
  filledAt: () => null,
};

/** A diagnostic about the value at `path`, or its key, at the place to fix: see `sourceAt`. */
export function diagnoseAt(document: Document, path: Path, fault: Fault, at: 'key' | 'value' = 'value'): Diagnostic {
  return diagnoseFrom(sourceAt(document, path, at), fault);
}

/** Where the value at `path`, or its key, was written: in the file, on the command line or in the environment. */
export function sourceAt(document: Document, path: Path, at: 'key' | 'value' = 'value'): Source {
  const filled = at === 'key' ? null : document.filledAt(path);
  const setBy = document.setBy(path) ?? (filled === null ? null : variablesOf(filled.given));
  return { place: setBy === null ? document.placeOf(path, at) : null, setBy, filled: filled !== null };
}

function variablesOf(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  return `the environment variable${names.length === 1 ? '' : 's'} ${names.join(' and ')}`;
}

export function valueAt(value: Json, path: Path): Json | undefined {
  let here: Json | undefined = value;
  for (const step of path) {
    if (isList(here)) here = typeof step === 'number' ? here[step] : undefined;
    else here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return here;
}

/** Each text of a value, and each key, with its path. */
export function* textsIn(value: Json, path: Path = []): Generator<{ path: Path; text: string; at: 'key' | 'value' }> {
  if (typeof value === 'string') yield { path, text: value, at: 'value' };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of isList(value) ? value.entries() : Object.entries(value)) {
    if (typeof key === 'string') yield { path: [...path, key], text: key, at: 'key' };
    yield* textsIn(item, [...path, key]);
  }
}

function spotAt(root: Spot, path: Path): Spot | null {
  return path.reduce<Spot | null>((spot, step) => spot?.children?.get(step) ?? null, root);
}

function offsetOf(root: Spot, path: Path, at: 'key' | 'value'): number {
  let spot = root;
  for (const step of path) {
    const next = spot.children?.get(step);
    if (next === undefined) return spot.key ?? spot.value;
    spot = next;
  }
  return at === 'key' ? (spot.key ?? spot.value) : spot.value;
}

function readTokens(source: string, lines: LineCounter): CST.Token[] | null {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(source)) {
    lexemes += 1;
    if (lexemes > MOST_LEXEMES) return null;
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** A second document is an error, so no more are made. */
function firstTwo<T>(documents: Iterable<T>): T[] {
  const items: T[] = [];
  for (const item of documents) {
    items.push(item);
    if (items.length === 2) break;
  }
  return items;
}

/** A token that is too deep, or too many values; else null. Not recursive, because tokens may nest without end. */
function findExtreme(root: CST.Token): ({ readonly offset: number } & Fault) | null {
  let values = 0;
  const open: { readonly token: CST.Token; readonly depth: number }[] = [{ token: root, depth: 0 }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { token, depth } = entry;
    if (depth > MOST_LEVELS) {
      return { offset: token.offset, ...TOO_DEEP };
    }
    if (token.type === 'document') {
      if (token.value !== undefined) open.push({ token: token.value, depth });
    } else if ('items' in token) {
      for (const { key, value } of token.items) {
        if (key !== undefined && key !== null) open.push({ token: key, depth: depth + 1 });
        if (value === undefined) continue;
        values += 1;
        if (values > MAX_VALUES) return { offset: root.offset, ...TOO_MANY_VALUES };
        open.push({ token: value, depth: depth + 1 });
      }
    }
  }
  return null;
}
