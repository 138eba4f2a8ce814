import { z } from 'zod';
import { isShallow, type Json, MOST_LEVELS } from './json.ts';

/** Required JSON from a user or a server, not checked further. */
export const json = z.custom<Json>((value) => value !== undefined && isShallow(value), {
  error: `must be there, and nested at most ${MOST_LEVELS} levels deep`,
});

/** Why a name of a run, shard, suite or vantage is wrong. */
export const NO_NAME = 'must begin with a letter or digit and go on with letters (a-z, A-Z), digits, ".", "_" or "-"';

export const jsonObject = z.record(z.string(), json);
