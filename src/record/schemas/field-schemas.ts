import { z } from 'zod';
import { MOST_SHARDS } from '../../plan/share.ts';
import type { Json } from '../../suite/document/json.ts';
import { MOST_SEGMENTS } from '../model/run.ts';
import { FOLDER_NAME, isRunName } from '../model/run-name.ts';

/** A document of the user's has at most 64. */
const MOST_LEVELS = 128;

const NO_NAME = 'must begin with a letter or digit and go on with letters (a-z, A-Z), digits, ".", "_" or "-"';

/*
 * What fields of several files of a record hold. A record may come from somebody else: names lead to no other folder, and whatever is
 * computed of numbers stays finite.
 */

/** Any JSON value: what a user or a server wrote. It has to be there, and is not looked into. */
export const json = z.custom<Json>((value) => value !== undefined && isShallow(value), {
  error: `must be there, and nested at most ${MOST_LEVELS} levels deep`,
});

/** Any JSON object. */
export const jsonObject = z.record(z.string(), json);

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

/** A whole number from 0. */
export const count = z.int().min(0);

/** A wall-clock ISO time in UTC. */
export const instant = z.iso.datetime({ error: 'must be a UTC time such as 2026-11-20T15:45:00.000Z' });

/** A number that is measured or declared. */
export const number = bounded();

/** Milliseconds, of a clock or between two of its readings. */
export const milliseconds = bounded();

/** Dollars of a price, an estimate or a sum; seconds or megapixels by the header of a file. */
export const amount = z.number().min(0).max(1e30);

/** The number of a process that measured, from 1. */
export const segment = z.int().min(1).max(MOST_SEGMENTS);

/** The number of a shard, or how many there are. */
export const shardNumber = z.int().min(1).max(MOST_SHARDS);

/** The name of a suite, which is that of a folder. */
export const suiteName = z.string().regex(FOLDER_NAME, NO_NAME);

/** The name of a run: not that of a shard of it. */
export const runName = z.string().refine(isRunName, NO_NAME);

/** The name of the folder of a run or shard. */
export const folderName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,119}$/, NO_NAME);

function bounded() {
  return z.number().min(-1e15).max(1e15);
}

/** Whether a value has no more levels than a document may have; walks by hand, as it may be deeper than calls can be. */
function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MOST_LEVELS && level.length > 0; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return level.length === 0;
}
