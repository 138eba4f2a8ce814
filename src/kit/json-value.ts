import { z } from 'zod';
import { isShallow, type Json, MOST_LEVELS } from './json.ts';

/** Required JSON from a user or a server, not checked further. */
export const json = z.custom<Json>((value) => value !== undefined && isShallow(value), {
  error: `must be there, and nested at most ${MOST_LEVELS} levels deep`,
});

export const jsonObject = z.record(z.string(), json);
