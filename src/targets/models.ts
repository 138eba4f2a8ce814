import { isList, isObject, type Json, ownValue } from '../kit/json.ts';
import { locateAll } from './language/locator.ts';
import { readableReply } from './reply/reply.ts';
import type { Target } from './target.ts';

type Models = NonNullable<Target['models']>;

/** A target that asks the provider of another for its models: one GET, whose reply is a text. */
export function modelsTarget(target: Target, { path, query = [] }: Models): Target {
  return {
    ...target,
    kind: 'judge',
    submit: { method: 'GET', path, query, headers: [], body: { encoding: 'none' } },
    wait: undefined,
    hops: [],
    needed: [],
    fail: [],
    meta: { stages: {}, usage: {} },
    result: { from: 'text', items: null, at: [{ at: 'body' }], expect: null },
  };
}

/** The day that each model ends, by its name; null: the list does not say. Empty if the reply has no list. */
export function readModels(
  { list, id, ends, prefix = '' }: Models,
  reply: Uint8Array,
): ReadonlyMap<string, string | null> {
  const readable = readableReply({ status: 200, headers: [], body: reply });
  const entries = list
    .map((locator) => locateAll(locator, readable))
    .find(({ length }) => length > 0)
    ?.flatMap((entry): readonly Json[] => (isList(entry) ? entry : [entry]));
  return new Map(
    (entries ?? []).flatMap((entry) => {
      const name = isObject(entry) ? ownValue(entry, id) : entry;
      const day = isObject(entry) && ends !== undefined ? ownValue(entry, ends) : null;
      if (typeof name !== 'string') return [];
      const plain = name.startsWith(prefix) ? name.slice(prefix.length) : name;
      return [[plain, typeof day === 'string' && /^\d{4}-\d\d-\d\d/.test(day) ? day.slice(0, 10) : null] as const];
    }),
  );
}
