import { z } from 'zod';
import { MOST_SHARDS } from '../../plan/share.ts';
import { sha256 } from '../../shape/declare.ts';
import type { Json } from '../../suite/document/json.ts';
import { FOLDER_NAME, isRunName, MOST_SEGMENTS } from './run-name.ts';

/** A document of the user's has at most 64. */
const MOST_LEVELS = 128;

const NO_NAME = 'must begin with a letter or digit and go on with letters (a-z, A-Z), digits, ".", "_" or "-"';

/* Fields that several files of a record have. Names lead to no other folder. */

/** What a user or a server wrote: it has to be there, and is not looked into. */
export const json = z.custom<Json>((value) => value !== undefined && isShallow(value), {
  error: `must be there, and nested at most ${MOST_LEVELS} levels deep`,
});

export const jsonObject = z.record(z.string(), json);

export const segment = z.int().min(1).max(MOST_SEGMENTS).describe('The number of the process that measured, from 1.');

export const shardNumber = z.int().min(1).max(MOST_SHARDS);

export const suiteName = z.string().regex(FOLDER_NAME, NO_NAME);

/** A shard's name is refused. */
export const runName = z.string().refine(isRunName, NO_NAME);

export const folderName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,119}$/, NO_NAME);

/** SHA-256 by the name of an environment variable. */
export const environment = z.record(z.string(), sha256);

/** Walks by hand: the value may be deeper than calls can be. */
function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MOST_LEVELS && level.length > 0; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return level.length === 0;
}
