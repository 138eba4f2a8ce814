export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Keys in the order they were written. */
export type JsonObject = { readonly [key: string]: Json };

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** So deep may JSON and YAML from outside be, in levels of lists and objects: calls inside each other have an end. */
export const MOST_LEVELS = 200;

/** Whether it has at most `MOST_LEVELS`. Walks by hand: the value may be deeper than calls can be. */
export function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MOST_LEVELS && level.length > 0; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return level.length === 0;
}

/** Undefined for `constructor` and `toString`, which every object inherits, unless the user chose these keys. */
export function ownValue<T>(mapping: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

/**
 * JSON with the keys of each object in alphabetical order: equal values give equal text.
 *
 * @param standIn gives what is written for an object
 */
export function canonicalJson(value: unknown, standIn: (item: object) => object = (item) => item): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const entries = Object.entries(standIn(item)).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(entries);
  });
}
