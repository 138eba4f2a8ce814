/**
 * The own value of a key that a user chose; else undefined. Every object inherits `constructor` and `toString`, which
 * may be names too.
 */
export function ownValue<T>(mapping: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
