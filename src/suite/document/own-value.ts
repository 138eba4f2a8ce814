/** Undefined for `constructor` and `toString`, which every object inherits, unless the user chose these keys. */
export function ownValue<T>(mapping: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
