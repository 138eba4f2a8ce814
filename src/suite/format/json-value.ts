import { z } from 'zod';
import type { Json } from '../document/json.ts';

/** A document of the user's has at most 64. */
const MOST_LEVELS = 128;

/** What a user or a server wrote: it has to be there, and is not looked into. */
export const json = z.custom<Json>((value) => value !== undefined && isShallow(value), {
  error: `must be there, and nested at most ${MOST_LEVELS} levels deep`,
});

export const jsonObject = z.record(z.string(), json);

/** Walks by hand: the value may be deeper than calls can be. */
function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MOST_LEVELS && level.length > 0; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return level.length === 0;
}
