export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

export function isList<T>(value: T): value is Extract<T, readonly unknown[]> {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Limit of nested lists and objects in JSON and YAML from outside, so that recursion ends. */
export const MOST_LEVELS = 200;

/** Whether it has at most `MOST_LEVELS`. Not recursive: the value may be deeper than the stack allows. */
export function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MOST_LEVELS && level.length > 0; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return level.length === 0;
}

/** Undefined for inherited keys such as `constructor` and `toString`, unless the user chose these. */
export function ownValue<T>(mapping: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

/** JSON with keys in alphabetical order: equal values give equal text. `standIn` replaces objects. */
export function canonicalJson(value: unknown, standIn: (item: object) => object = (item) => item): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const entries = Object.entries(standIn(item)).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(entries);
  });
}

/** Some fields of an object, in this order; absent ones stay absent. */
export function pick<T extends object, K extends keyof T>(source: T, ...keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => key in source).map((key) => [key, source[key]])) as Pick<T, K>;
}
