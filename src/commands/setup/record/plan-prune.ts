import { join } from 'node:path';
import { unexamined } from '../../../examine/unexamined.ts';
import { runsIn, shardsIn } from '../../../record/find/find-run.ts';
import { checkUnlocked } from '../../../record/lock.ts';
import { wholeRunOf } from '../../../record/model/run-name.ts';
import { inputImages } from '../../../record/outputs/output-files.ts';
import { type Dropped, type StoredFile, storedFiles } from '../../../record/outputs/prune-media.ts';
import { readRecord, readRun } from '../../../record/read-record.ts';
import type { Edge } from '../../edge.ts';

export interface PrunePlan {
  /** All runs of the suite, and how many count as last ones. */
  readonly runs: number;
  readonly kept: number;
  /** Runs and shards with files to delete, the earliest first. */
  readonly dropped: readonly DroppedRun[];
  readonly spared: readonly SparedRun[];
}

export interface DroppedRun {
  readonly run: string;
  readonly files: readonly StoredFile[];
}

export interface SparedRun {
  readonly run: string;
  readonly reason: SparedReason;
}

export type SparedReason =
  /** It is the run of the stored baseline: `near` and `similar` need its media. */
  | 'baseline'
  | 'in_use'
  /** Some of its outputs have no facts, which could not be made any more. */
  | 'not_examined'
  | 'unreadable'
  | 'not_writable'
  /** A shard of a run that is not merged: merging needs its media. */
  | 'not_merged';

export interface PruneRequest {
  /** How many of the last runs keep their media. */
  readonly keep: number;
  readonly what: Dropped;
  readonly baselineRun: string | null;
}

/** Changes nothing. */
export async function planPrune(
  folder: string,
  { keep, what, baselineRun }: PruneRequest,
  edge: Pick<Edge, 'processes'>,
): Promise<PrunePlan> {
  const runs = runsIn(folder);
  const shards = shardsIn(folder);
  const older = runs.slice(0, Math.max(0, runs.length - keep));
  const dropped: DroppedRun[] = [];
  const spared: SparedRun[] = [];
  for (const run of older) {
    const parts = [run, ...shards.filter((shard) => wholeRunOf(shard) === run)];
    for (const part of parts) {
      const header = await readRun(join(folder, part));
      const inputs: ReadonlySet<string> = header.ok ? inputImages(header.value) : new Set();
      const files = storedFiles(join(folder, part), what, inputs);
      if (files.length === 0) continue;
      const reason = run === baselineRun ? 'baseline' : await whySpared(join(folder, part), edge);
      if (reason === null) dropped.push({ run: part, files });
      else spared.push({ run: part, reason });
    }
  }
  const unmerged = shards.filter((shard) => !runs.includes(wholeRunOf(shard)));
  return {
    runs: runs.length,
    kept: runs.length - older.length,
    dropped,
    spared: [...spared, ...unmerged.map((run) => ({ run, reason: 'not_merged' as const }))],
  };
}

async function whySpared(folder: string, { processes }: Pick<Edge, 'processes'>) {
  if (!checkUnlocked(folder, processes).ok) return 'in_use';
  const record = await readRecord(folder);
  if (!record.ok) return 'unreadable';
  return unexamined(record.value) === 0 ? null : 'not_examined';
}
