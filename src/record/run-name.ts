import type { Shard } from '../plan/share.ts';

export const FOLDER_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

const OF_SHARD = /-\d+of\d+$/;

/** Name of a run or shard, and of its folder. */
export function runId(run: string, shard: Shard | null): string {
  return shard === null ? run : `${run}-${shard.index}of${shard.of}`;
}

/** Refuses names of shards. */
export function isRunName(text: string): boolean {
  return FOLDER_NAME.test(text) && !OF_SHARD.test(text);
}

export function isShardName(name: string): boolean {
  return OF_SHARD.test(name);
}

/** The run of a shard; a whole run gives its own name. */
export function wholeRunOf(name: string): string {
  return name.replace(OF_SHARD, '');
}

/** Stays 1 until the first release; until then its meaning may change. */
export const RUN_FORMAT = 1;

export const BASELINE_FORMAT = 1;

export const HISTORY_FORMAT = 1;

/** Limit of logarithms in history.jsonl, positive or negative: e^100 exceeds any measure. */
export const MOST_LN = 100;

/** More processes than ever resume one run. */
export const MOST_SEGMENTS = 1e9;
