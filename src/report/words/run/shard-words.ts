import type { RunSummary } from '../../../analysis/analysis.ts';
import { count, elapsed, plural } from '../../../text/wording.ts';

/** `Shard 3 of 8 of run 42`, `Merged from 8 shards`; null for a run without shards. */
export function shardWords({ shard, shards }: Pick<RunSummary, 'shard' | 'shards'>): string | null {
  if (shard !== null) return `Shard ${count(shard.index)} of ${count(shard.of)} of run ${shard.run}`;
  if (shards === null) return null;
  const { of, missing } = shards;
  return `Merged from ${missing.length === 0 ? '' : `${count(of - missing.length)} of `}${plural(of, 'shard')}`;
}

/** `in 2 min 10 s`; shards measure at the same time, so the longest counts. */
export function tookWords({ shards }: Pick<RunSummary, 'shards'>, durationMs: number): string {
  return shards === null ? `in ${elapsed(durationMs)}` : `in ${elapsed(durationMs)} (longest shard)`;
}

/** `38 sent`; a merged run also says how many warm-ups it leaves out. */
export function sentWords({ requestsSent, shards }: Pick<RunSummary, 'requestsSent' | 'shards'>): string {
  const others = (shards?.merged ?? []).reduce((sum, { warmupsLeftOut }) => sum + warmupsLeftOut, 0);
  const warmups = others === 0 ? '' : `, and ${plural(others, 'warm-up')} of other shards that are not in this record`;
  return `${count(requestsSent)} sent${warmups}`;
}
