import type { Shard } from '../../plan/share.ts';

/** What may be the name of a folder everywhere. */
export const FOLDER_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

/** What the name of a shard ends with. */
const OF_SHARD = /-\d+of\d+$/;

/** The id of a run, or of one of its shards: also the name of its folder. */
export function runId(run: string, shard: Shard | null): string {
  return shard === null ? run : `${run}-${shard.index}of${shard.of}`;
}

/** Whether a text may be the name of a run: that of a folder, and not that of a shard. */
export function isRunName(text: string): boolean {
  return FOLDER_NAME.test(text) && !OF_SHARD.test(text);
}

/** Whether a folder has the name of a shard: such a one is a part of a run. */
export function isShardName(name: string): boolean {
  return OF_SHARD.test(name);
}

/** The name of the run that a shard is a part of; of a whole run its own. */
export function wholeRunOf(name: string): string {
  return name.replace(OF_SHARD, '');
}
