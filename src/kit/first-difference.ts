import { isList, isObject, type Json } from './json.ts';

/** Where two JSON values first differ: `gate[0].max`; undefined: the value is not there. */
export interface FoundDifference {
  readonly path: string;
  readonly one: Json | undefined;
  readonly other: Json | undefined;
}

/**
 * In the order of `one`, then what only `other` has; null where they are equal. The order of keys does not count.
 * @param share by which two numbers may differ, of the larger one
 */
export function firstDifference(
  one: Json | undefined,
  other: Json | undefined,
  share = 0,
  path = '',
): FoundDifference | null {
  const inside = (key: string | number, a: Json | undefined, b: Json | undefined) =>
    firstDifference(a, b, share, typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`);
  if (isList(one) && isList(other)) {
    for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
      const found = inside(at, one[at], other[at]);
      if (found !== null) return found;
    }
    return null;
  }
  if (isObject(one) && isObject(other)) {
    for (const key of Object.keys({ ...one, ...other })) {
      const found = inside(key, one[key], other[key]);
      if (found !== null) return found;
    }
    return null;
  }
  if (typeof one === 'number' && typeof other === 'number') {
    const isNear = Math.abs(one - other) <= share * Math.max(Math.abs(one), Math.abs(other));
    return isNear ? null : { path, one, other };
  }
  return one === other ? null : { path, one, other };
}

const LONGEST_VALUE = 80;

/** A value that differs, in short. */
export function valueWords(value: Json | undefined): string {
  const text = value === undefined ? 'not there' : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text;
}

/** The value of any object as JSON, as a file holds it. */
export function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}
