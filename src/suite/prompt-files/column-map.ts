import type { Checked, Diagnostic } from '../../kit/diagnostic.ts';
import { isList, type Json, type JsonObject } from '../../kit/json.ts';
import { suggest } from '../../kit/nearest.ts';
import { isPromptField, type PromptDraft, type PromptField, slugOf } from '../declare/prompts.ts';
import type { PromptFileEntry } from '../format/schema.ts';
import { columnsIn, MOST_FAULTS, type PromptRow, type PromptRows, type RefuseEntry } from './prompt-row.ts';

/** Columns of each field and input; only tags have several. */
type ColumnsOf = ReadonlyMap<string, readonly string[]>;

/** `all` rows of the file, with those that a sample leaves out: a column in no row is unknown. */
export function draftsOf(
  file: string,
  { kind, rows }: PromptRows,
  all: readonly PromptRow[],
  entry: PromptFileEntry,
  refuse: RefuseEntry,
): Checked<readonly PromptDraft[]> {
  if (kind === 'lines' && (entry.map !== undefined || entry.expect !== undefined)) {
    const key = entry.map === undefined ? 'expect' : 'map';
    const remedy = `leave "${key}" out, or name a file with columns`;
    return { ok: false, diagnostics: [refuse([key], 'a file of lines has no columns', remedy)] };
  }
  const unknown = unknownColumns(all, entry, refuse);
  if (unknown.length > 0) return { ok: false, diagnostics: unknown };
  const mapped: ColumnsOf | null =
    entry.map === undefined
      ? null
      : new Map(Object.entries(entry.map).map(([name, columns]) => [name, [columns].flat()]));
  const named = namedColumns();
  const diagnostics: Diagnostic[] = [];
  const drafts: PromptDraft[] = [];
  const drafting: Drafting = { kind, entry, diagnostics, lists: new Map() };
  const drawn = rows.length === all.length ? null : new Set(rows);
  const leftOut = new Map<string, number>();
  for (const row of all) {
    if (diagnostics.length >= MOST_FAULTS) break;
    const columnsOf = mapped ?? named(row);
    const slug = drawn === null ? null : slugOfRow(row, columnsOf);
    const before = slug === null ? 0 : (leftOut.get(slug) ?? 0);
    if (drawn !== null && !drawn.has(row)) {
      if (slug !== null) leftOut.set(slug, before + 1);
      continue;
    }
    if (slug !== null) leftOut.delete(slug);
    drafts.push(draftOf(file, row, columnsOf, before, drafting));
  }
  return diagnostics.length === 0 ? { ok: true, value: drafts } : { ok: false, diagnostics };
}

function slugOfRow(row: PromptRow, columnsOf: ColumnsOf): string | null {
  const cellIn = (field: PromptField) => {
    const [column] = columnsOf.get(field) ?? [];
    return column === undefined ? undefined : row.value(column);
  };
  const text = cellIn('text');
  return cellIn('id') === undefined && typeof text === 'string' ? slugOf(text) : null;
}

/** Without a map: each column by its own name. Rows of a table share this. */
function namedColumns(): (row: PromptRow) => ColumnsOf {
  let last: { readonly columns: readonly string[]; readonly named: ColumnsOf } | null = null;
  return ({ columns }) => {
    if (last?.columns !== columns) last = { columns, named: new Map(columns.map((column) => [column, [column]])) };
    return last.named;
  };
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
    if (known.has(column) || rows.some((row) => row.value(column) !== undefined)) return [];
    return [refuse(path, `no column "${column}" in the file`, suggest(column, [...known], 'the columns are'))];
  });
}

const NONE: readonly string[] = [];
const NO_INPUTS: JsonObject = {};
const NO_SOURCES: PromptDraft['inputSources'] = {};

interface Drafting {
  readonly kind: PromptRows['kind'];
  readonly entry: PromptFileEntry;
  readonly diagnostics: Diagnostic[];
  /** Lists by the text of their cell: many rows have the same. */
  readonly lists: Map<string, readonly string[]>;
}

function draftOf(
  file: string,
  row: PromptRow,
  columnsOf: ColumnsOf,
  passedOver: number,
  { kind, entry, diagnostics, lists }: Drafting,
): PromptDraft {
  const columnOf = (field: PromptField) => columnsOf.get(field)?.[0] ?? field;
  const text = (field: 'id' | 'text' | 'image' | 'mask'): string | null => {
    const value = columnsOf.has(field) ? row.value(columnOf(field)) : undefined;
    if (value === undefined || typeof value === 'string') return value ?? null;
    if (field === 'id' && typeof value === 'number') return String(value);
    diagnostics.push(row.refuse(columnOf(field), notA('text', columnOf(field)), `map "${field}" to a column of texts`));
    return null;
  };
  const listIn = (field: 'images' | 'tags' | 'kinds', column: string): readonly string[] => {
    const value = row.value(column);
    if (value === undefined) return NONE;
    if (typeof value === 'string') {
      const known = lists.get(value);
      if (known !== undefined) return known;
      const items = (kind === 'cells' ? value.split(';') : [value]).flatMap((item) => item.trim() || []);
      lists.set(value, items);
      return items;
    }
    const items = isList(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : [];
    if (isList(value) && items.length === value.length) return items;
    diagnostics.push(row.refuse(column, notA('text or a list of texts', column), `map "${field}" to another column`));
    return NONE;
  };
  const list = (field: 'images' | 'tags' | 'kinds'): readonly string[] => {
    const columns = columnsOf.get(field) ?? NONE;
    const [only] = columns;
    if (only === undefined) return NONE;
    return columns.length === 1 ? listIn(field, only) : columns.flatMap((column) => listIn(field, column));
  };
  const inputs = inputsOf(row, columnsOf, kind);
  const kinds = list('kinds');
  const images = list('images');
  return {
    id: text('id'),
    text: text('text') ?? '',
    image: text('image'),
    images: images.length > 0 ? images : null,
    mask: text('mask'),
    tags: list('tags'),
    kinds: kinds.length > 0 ? kinds : (entry.kinds ?? null),
    inputs,
    inputSources: sourcesOf(row, inputs, columnsOf),
    expect: expectationOf(row, entry),
    passedOver,
    file,
    place: row.place,
    refuse: (field, cause, remedy) => {
      const isName = kind === 'lines' && field === 'id';
      return row.refuse(columnOf(field), cause, isName ? `rename the file: ${remedy}` : remedy);
    },
  };
}

function inputsOf(row: PromptRow, columnsOf: ColumnsOf, kind: PromptRows['kind']): JsonObject {
  let inputs: Record<string, Json> | null = null;
  for (const [name, [column = name]] of columnsOf) {
    const value = isPromptField(name) ? undefined : row.value(column);
    if (value === undefined) continue;
    inputs ??= {};
    inputs[name] = kind === 'cells' && typeof value === 'string' ? typed(value) : value;
  }
  return inputs ?? NO_INPUTS;
}

/** On demand: most inputs have no error, and a large file has many. */
function sourcesOf(row: PromptRow, inputs: JsonObject, columnsOf: ColumnsOf): PromptDraft['inputSources'] {
  if (inputs === NO_INPUTS) return NO_SOURCES;
  const sources = {};
  for (const name of Object.keys(inputs)) {
    const get = () => row.sourceOf(columnsOf.get(name)?.[0] ?? name);
    Object.defineProperty(sources, name, { get, enumerable: true });
  }
  return sources;
}

function expectationOf(row: PromptRow, { expect }: PromptFileEntry): PromptDraft['expect'] {
  if (expect === undefined) return null;
  const columns = expect === '*' ? row.columns : expect;
  return { row: row.number, values: Object.fromEntries(columns.map((column) => [column, row.value(column) ?? null])) };
}

function notA(what: string, column: string): string {
  return `the value of "${column}" is not a ${what}`;
}

/** A number or boolean only if the text is exactly its JSON, so that nothing is lost. */
function typed(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d/.test(text) && String(Number(text)) === text ? Number(text) : text;
}
