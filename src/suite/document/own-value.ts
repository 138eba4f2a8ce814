/**
 * What a mapping holds under a key that a user chose; undefined where it holds nothing. Every object has `constructor` and
 * `toString` by inheritance: these are names like any other.
 */
export function ownValue<T>(mapping: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
