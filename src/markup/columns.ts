/** A list of like values, written so that what most have in common stands once. JSON holds it as it is. */
export type Columns =
  | readonly unknown[]
  | { readonly usual: unknown; readonly of: number; readonly others: readonly (readonly [at: number, unknown])[] }
  | { readonly distinct: readonly unknown[]; readonly at: Columns }
  | { readonly lengths: Columns; readonly items: Columns }
  | { readonly isThere: Columns; readonly fields: Readonly<Record<string, Columns>> };

/** Share of values unlike the usual one, above which a plain list is shorter. */
const MOST_OTHERS = 0.25;

/** @param values all lists, all objects or null, or none of both; what an object lacks comes back as null */
export function columnsOf(values: readonly unknown[]): Columns {
  if (values.length > 0 && values.every(Array.isArray))
    return { lengths: columnsOf(values.map(({ length }) => length)), items: columnsOf(values.flat()) };
  const objects = values.filter((value): value is Readonly<Record<string, unknown>> => isObject(value));
  if (objects.length > 0) {
    const names = [...new Set(objects.flatMap(Object.keys))];
    const fields = names.map((name) => [name, columnsOf(objects.map((object) => object[name] ?? null))]);
    return { isThere: columnsOf(values.map((value) => Number(isObject(value)))), fields: Object.fromEntries(fields) };
  }
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const distinct = [...counts.keys()];
  if (distinct.some((value) => typeof value === 'string'))
    return 2 * distinct.length > values.length ? values : { distinct, at: columnsOf(placesIn(distinct, values)) };
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (most === undefined || values.length - most[1] > MOST_OTHERS * values.length) return values;
  const others = values.flatMap((value, at) => (value === most[0] ? [] : [[at, value] as const]));
  return { usual: most[0], of: values.length, others };
}

export function valuesOf(columns: Columns): readonly unknown[] {
  if (isList(columns)) return columns;
  if ('usual' in columns) {
    const values = new Array<unknown>(columns.of).fill(columns.usual);
    for (const [at, value] of columns.others) values[at] = value;
    return values;
  }
  if ('distinct' in columns) return valuesOf(columns.at).map((at) => columns.distinct[Number(at)]);
  if ('lengths' in columns) {
    const items = valuesOf(columns.items);
    let from = 0;
    return valuesOf(columns.lengths).map((length) => {
      from += Number(length);
      return items.slice(from - Number(length), from);
    });
  }
  const rows = valuesOf(columns.isThere).map((isThere): Record<string, unknown> | null => (isThere === 1 ? {} : null));
  const objects = rows.filter((row) => row !== null);
  for (const [name, column] of Object.entries(columns.fields)) {
    for (const [at, value] of valuesOf(column).entries()) Object.assign(objects[at] ?? {}, { [name]: value });
  }
  return rows;
}

function isList(columns: Columns): columns is readonly unknown[] {
  return Array.isArray(columns);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function placesIn(distinct: readonly unknown[], values: readonly unknown[]): readonly unknown[] {
  const places = new Map(distinct.map((value, at) => [value, at]));
  return values.map((value) => places.get(value));
}
