export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Keys in the order they were written. */
export type JsonObject = { readonly [key: string]: Json };

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
