import type { Checked, Diagnostic } from '../../kit/diagnostic.ts';
import { isList, type Json, type JsonObject, ownValue } from '../../kit/json.ts';
import { suggest } from '../../kit/nearest.ts';
import { isPromptField, type PromptDraft, type PromptField, slugOf, sourcesOf } from '../declare/prompts.ts';
import type { PromptFileEntry } from '../format/schema.ts';
import { columnsIn, MOST_FAULTS, type PromptRow, type PromptRows, type RefuseEntry, valueIn } from './prompt-row.ts';

/** Columns of a field or input of a row; only tags have several. Without a map, the column of its name. */
type ColumnsOf = (name: string) => readonly string[];

/** `all` rows of the file, with those that a sample leaves out: a column in no row is unknown. */
export function draftsOf(
  { kind, rows }: PromptRows,
  all: readonly PromptRow[],
  entry: PromptFileEntry,
  refuse: RefuseEntry,
): Checked<readonly PromptDraft[]> {
  const { map } = entry;
  if (kind === 'lines' && (map !== undefined || entry.expect !== undefined)) {
    const key = map === undefined ? 'expect' : 'map';
    const remedy = `leave "${key}" out, or name a file with columns`;
    return { ok: false, diagnostics: [refuse([key], 'a file of lines has no columns', remedy)] };
  }
  const unknown = unknownColumns(all, entry, refuse);
  if (unknown.length > 0) return { ok: false, diagnostics: unknown };
  const columnsOf: ColumnsOf = (name) => (map === undefined ? [name] : [ownValue(map, name) ?? []].flat());
  const diagnostics: Diagnostic[] = [];
  const drafts: PromptDraft[] = [];
  const drafting: Drafting = { kind, entry, columnsOf, diagnostics };
  const drawn = rows.length === all.length ? null : new Set(rows);
  const leftOut = new Map<string, number>();
  for (const row of all) {
    if (diagnostics.length >= MOST_FAULTS) break;
    const slug = drawn === null ? null : slugOfRow(row, columnsOf);
    const before = slug === null ? 0 : (leftOut.get(slug) ?? 0);
    if (drawn !== null && !drawn.has(row)) {
      if (slug !== null) leftOut.set(slug, before + 1);
      continue;
    }
    if (slug !== null) leftOut.delete(slug);
    drafts.push(draftOf(row, before, drafting));
  }
  return diagnostics.length === 0 ? { ok: true, value: drafts } : { ok: false, diagnostics };
}

function slugOfRow(row: PromptRow, columnsOf: ColumnsOf): string | null {
  const cellIn = (field: PromptField) => columnsOf(field).flatMap((column) => valueIn(row, column) ?? [])[0];
  const text = cellIn('text');
  return cellIn('id') === undefined && typeof text === 'string' ? slugOf(text) : null;
}

function unknownColumns(
  rows: readonly PromptRow[],
  { map = {}, expect }: PromptFileEntry,
  refuse: RefuseEntry,
): readonly Diagnostic[] {
  const places = [
    ...Object.entries(map).flatMap(([name, columns]) =>
      typeof columns === 'string'
        ? [{ path: ['map', name], column: columns }]
        : columns.map((column, index) => ({ path: ['map', name, index], column })),
    ),
    ...(expect === undefined || expect === '*'
      ? []
      : expect.map((column, index) => ({ path: ['expect', index], column }))),
  ];
  if (places.length === 0) return [];
  const known = columnsIn(rows);
  return places.flatMap(({ path, column }) => {
    if (known.has(column) || rows.some((row) => valueIn(row, column) !== undefined)) return [];
    return [refuse(path, `no column "${column}" in the file`, suggest(column, [...known], 'the columns are'))];
  });
}

interface Drafting {
  readonly kind: PromptRows['kind'];
  readonly entry: PromptFileEntry;
  readonly columnsOf: ColumnsOf;
  readonly diagnostics: Diagnostic[];
}

function draftOf(row: PromptRow, passedOver: number, drafting: Drafting): PromptDraft {
  const { kind, entry, columnsOf, diagnostics } = drafting;
  const { place } = row;
  const text = (field: 'id' | 'text' | 'image' | 'mask'): string | null => {
    const [column] = columnsOf(field);
    const value = column === undefined ? undefined : valueIn(row, column);
    if (column === undefined || value === undefined) return null;
    if (typeof value === 'string') return value;
    if (field === 'id' && typeof value === 'number') return String(value);
    diagnostics.push({ place, cause: notA('text', column), remedy: `map "${field}" to a column of texts` });
    return null;
  };
  const list = (field: 'images' | 'tags' | 'kinds'): readonly string[] =>
    columnsOf(field).flatMap((column) => {
      const value = valueIn(row, column);
      if (value === undefined) return [];
      const items = isList(value) ? value : typeof value === 'string' ? textsOf(value, kind) : [value];
      const texts = items.filter((item): item is string => typeof item === 'string' && item !== '');
      if (texts.length === items.length) return texts;
      const cause = notA('text or a list of texts', column);
      diagnostics.push({ place, cause, remedy: `map "${field}" to another column` });
      return [];
    });
  const inputs = inputsOf(row, drafting);
  const prompt = text('text') ?? '';
  const kinds = list('kinds');
  const images = list('images');
  return {
    id: text('id'),
    text: prompt,
    written: prompt,
    image: text('image'),
    images: images.length > 0 ? images : null,
    mask: text('mask'),
    tags: list('tags'),
    kinds: kinds.length > 0 ? kinds : (entry.kinds ?? null),
    inputs,
    inputSources: sourcesOf(inputs, () => ({ place, setBy: null, filled: false })),
    expect: expectationOf(row, entry),
    passedOver,
    file: place.file,
    place,
    refuse: (field, cause, remedy) => {
      const isName = kind === 'lines' && field === 'id';
      return { place, cause, remedy: isName ? `rename the file: ${remedy}` : remedy };
    },
  };
}

/** In a cell, ";" separates texts. */
function textsOf(text: string, kind: PromptRows['kind']): readonly string[] {
  return (kind === 'cells' ? text.split(';') : [text]).flatMap((item) => item.trim() || []);
}

const NO_INPUTS: JsonObject = {};

function inputsOf(row: PromptRow, { kind, entry: { map }, columnsOf }: Drafting): JsonObject {
  const inputs = Object.keys(map ?? row.values).flatMap((name): (readonly [string, Json])[] => {
    const [column] = isPromptField(name) ? [] : columnsOf(name);
    const value = column === undefined ? undefined : valueIn(row, column);
    if (value === undefined) return [];
    return [[name, kind === 'cells' && typeof value === 'string' ? typed(value) : value]];
  });
  return inputs.length === 0 ? NO_INPUTS : Object.fromEntries(inputs);
}

function expectationOf(row: PromptRow, { expect }: PromptFileEntry): PromptDraft['expect'] {
  if (expect === undefined) return null;
  const columns = expect === '*' ? Object.keys(row.values) : expect;
  return {
    row: row.number,
    values: Object.fromEntries(columns.map((column) => [column, valueIn(row, column) ?? null])),
  };
}

function notA(what: string, column: string): string {
  return `the value of "${column}" is not a ${what}`;
}

/** A number or boolean only if the text is exactly its JSON, so that nothing is lost. */
function typed(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d/.test(text) && String(Number(text)) === text ? Number(text) : text;
}
