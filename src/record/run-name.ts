import type { Shard } from '../plan/share.ts';

export const FOLDER_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

const OF_SHARD = /-\d+of\d+$/;

/** Also the name of the folder. */
export function runId(run: string, shard: Shard | null): string {
  return shard === null ? run : `${run}-${shard.index}of${shard.of}`;
}

/** The name of a shard is not one. */
export function isRunName(text: string): boolean {
  return FOLDER_NAME.test(text) && !OF_SHARD.test(text);
}

export function isShardName(name: string): boolean {
  return OF_SHARD.test(name);
}

/** A whole run is given its own name back. */
export function wholeRunOf(name: string): string {
  return name.replace(OF_SHARD, '');
}

/** It stays 1 until the first publication; until then its meaning may change. */
export const RUN_FORMAT = 1;

export const BASELINE_FORMAT = 1;

export const HISTORY_FORMAT = 1;

/** Of a logarithm in history.jsonl, either way: e^100 is far above what is measured. */
export const MOST_LN = 100;

/** More processes than ever resume one run. */
export const MOST_SEGMENTS = 1e9;
