import { isAlias, isCollection, isMap, isPair, isScalar, type Node, type Scalar } from 'yaml';
import type { Fault } from './diagnostic.ts';
import { type Json, MOST_LEVELS } from './json.ts';

/** Offsets of a value in the text, and the values inside it. */
export interface Spot {
  /** Null for list items and the root. */
  readonly key: number | null;
  readonly value: number;
  readonly children: ReadonlyMap<string | number, Spot> | null;
  /** What follows "#" behind unquoted text. */
  readonly comment?: string | null | undefined;
}

interface TreeFault extends Fault {
  readonly offset: number;
}

type Tree =
  | { readonly ok: true; readonly value: Json; readonly spot: Spot }
  | { readonly ok: false; readonly faults: readonly TreeFault[] };

/** Values after unfolding aliases; a few nested aliases can mean billions. */
export const MAX_VALUES = 200_000;

export const TOO_MANY_VALUES: Fault = {
  cause: `more than ${MAX_VALUES} values with aliases unfolded`,
  remedy: 'write fewer, or move them to other files',
};

export const TOO_DEEP: Fault = { cause: `nested deeper than ${MOST_LEVELS} levels`, remedy: 'use fewer levels' };

/** YAML nodes as plain values with offsets, aliases unfolded. Gives every error, but stops at too many values. */
export function readTree(root: Node | null): Tree {
  const anchors = new Map<string, Node>();
  const unfolding = new Set<Node>();
  const faults: TreeFault[] = [];
  let values = 0;

  function refuse(offset: number, cause: string, remedy: string): null {
    faults.push({ offset, cause, remedy });
    return null;
  }

  function read(node: Node | null, key: number | null, fallback: number): { value: Json; spot: Spot } {
    const offset = node?.range?.[0] ?? fallback;
    const leaf = (value: Json) => ({ value, spot: { key, value: offset, children: null } });
    values += 1;
    if (values > MAX_VALUES) {
      if (values === MAX_VALUES + 1) {
        refuse(offset, TOO_MANY_VALUES.cause, TOO_MANY_VALUES.remedy);
      }
      return leaf(null);
    }
    if (node === null) return leaf(null);
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined)
        return leaf(refuse(offset, `no anchor "&${node.source}" before this alias`, 'define it first'));
      if (unfolding.has(target))
        return leaf(refuse(offset, `"*${node.source}" contains itself`, 'write the value out'));
      return read(target, key, offset);
    }
    if (isScalar(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      const comment = node.type === 'PLAIN' ? node.comment : null;
      return { value: readScalar(node, offset), spot: { key, value: offset, children: null, comment } };
    }
    if (!isCollection(node)) return leaf(null);
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (unfolding.size >= MOST_LEVELS) {
      return leaf(refuse(offset, `${TOO_DEEP.cause} with aliases unfolded`, TOO_DEEP.remedy));
    }
    unfolding.add(node);
    const result = isMap(node) ? readMap(node.items, key, offset) : readList(node.items as Node[], key, offset);
    unfolding.delete(node);
    return result;
  }

  function readScalar(scalar: Scalar, offset: number): Json {
    const { value, source = '' } = scalar;
    if (typeof value === 'string') return wholeText(value, offset);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value !== 'number') return refuse(offset, 'the value is not valid in JSON', 'put it in quotes');
    if (!Number.isFinite(value)) return refuse(offset, `${source} is not a finite number`, 'write a finite number');
    const whole = /^[-+]?\d+$|^0[xo]/.test(source);
    if (whole && !Number.isSafeInteger(value)) {
      const remedy = 'write at most 15 digits, or put it in quotes if it is a text';
      return refuse(offset, `${source} is too large to be kept exactly`, remedy);
    }
    return value === 0 ? 0 : value; // JSON has no negative zero.
  }

  /** JSON sends half a surrogate pair as it is, a form as another character. */
  function wholeText(text: string, offset: number): string | null {
    if (!/\p{Surrogate}/u.test(text)) return text;
    const half = JSON.stringify(text).match(/\\ud[89a-f]../)?.[0] ?? '';
    return refuse(offset, `${half} is half a character`, 'write the whole character, or remove the half');
  }

  function readMap(items: readonly unknown[], key: number | null, offset: number): { value: Json; spot: Spot } {
    const entries: [string, Json][] = [];
    const children = new Map<string, Spot>();
    for (const pair of items) {
      if (!isPair<Node, Node | null>(pair)) continue;
      const keyOffset = pair.key?.range?.[0] ?? offset;
      const name = isScalar(pair.key) && pair.key.value !== null ? String(pair.key.value) : null;
      if (name === null) refuse(keyOffset, 'a key that is not a string', 'write the key as a string');
      else if (name === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN')
        refuse(keyOffset, '"<<" merges keys only in YAML 1.1', 'write the keys out');
      else if (name === '__proto__') refuse(keyOffset, 'the key "__proto__" is not allowed', 'choose another key');
      else if (wholeText(name, keyOffset) === null) continue;
      else if (children.has(name)) refuse(keyOffset, `the key "${name}" occurs twice`, 'keep one of them');
      const inner = read(pair.value, keyOffset, keyOffset);
      if (name === null) continue;
      entries.push([name, inner.value]);
      children.set(name, inner.spot);
    }
    return { value: Object.fromEntries(entries), spot: { key, value: offset, children } };
  }

  function readList(items: readonly Node[], key: number | null, offset: number): { value: Json; spot: Spot } {
    const spots = items.map((item) => read(item, null, offset));
    const children = new Map(spots.map(({ spot }, index) => [index, spot]));
    return { value: spots.map(({ value }) => value), spot: { key, value: offset, children } };
  }

  const { value, spot } = read(root, null, 0);
  return faults.length === 0 ? { ok: true, value, spot } : { ok: false, faults };
}
