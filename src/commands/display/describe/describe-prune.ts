import { join } from 'node:path';
import { isShardName } from '../../../record/model/run-name.ts';
import { freedBytes, type StoredFile } from '../../../record/outputs/prune-media.ts';
import { visibleLine } from '../../../text/visible.ts';
import { bytes, count, plural } from '../../../text/wording.ts';
import { type Edge, printSentence } from '../../edge.ts';
import type { DroppedRun, PrunePlan, SparedReason } from '../../setup/record/plan-prune.ts';

export interface PrunePrint {
  readonly thumbs: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Whether the user can do something about the reason to keep a run's media. */
export const NEEDS_USER: Readonly<Record<SparedReason, boolean>> = {
  baseline: false,
  in_use: false,
  not_examined: true,
  unreadable: true,
  not_writable: true,
  not_merged: false,
};

export function printPruned(
  folder: string,
  { runs, kept, dropped, spared }: PrunePlan,
  { json, quiet, dryRun, thumbs }: PrunePrint,
  { out, err }: Pick<Edge, 'out' | 'err'>,
): void {
  const files = dropped.flatMap((each) => each.files);
  const freed = freedBytes(files);
  if (json) {
    const shown = dropped.map((each) => ({ run: each.run, files: each.files.length, bytes: sizeOf(each.files) }));
    out.write(`${JSON.stringify({ dryRun, runs, kept, dropped: shown, spared, freedBytes: freed })}\n`);
    return;
  }
  for (const { run, reason } of spared) {
    if (!quiet || NEEDS_USER[reason]) printSentence(err, visibleLine(sparedSentence(folder, run, reason)));
  }
  if (quiet) return;
  for (const each of dropped) {
    const size = bytes(sizeOf(each.files));
    out.write(`${visibleLine(each.run)}: ${plural(each.files.length, 'file')}, ${size}\n`);
  }
  const what = thumbs ? 'media and thumbnails' : 'media';
  const last = kept === 0 ? '' : ` ${latestRuns(kept, runs)} ${kept === 1 ? 'keeps its' : 'keep their'} media.`;
  if (dropped.length === 0) {
    out.write(`No ${what} to delete.${last}\n`);
    return;
  }
  const size = sizeOf(files);
  const shared = size === freed ? '' : `; ${bytes(size - freed)} stay, because other runs use the same files`;
  const verb = dryRun ? 'Would delete' : 'Deleted';
  const gained = `${dryRun ? 'would free' : 'freed'} ${bytes(freed)}`;
  out.write(`${verb} the ${what} of ${runsAndShards(dropped)}, ${gained}${shared}.${last}\n`);
}

function latestRuns(kept: number, runs: number): string {
  if (kept < runs) return `The latest ${count(kept)} of ${plural(runs, 'run')}`;
  return runs === 1 ? 'The only run' : `All ${count(runs)} runs`;
}

function runsAndShards(dropped: readonly DroppedRun[]): string {
  const shards = dropped.filter(({ run }) => isShardName(run)).length;
  const whole = dropped.length - shards;
  return [...(whole > 0 ? [plural(whole, 'run')] : []), ...(shards > 0 ? [plural(shards, 'shard')] : [])].join(' and ');
}

function sizeOf(files: readonly StoredFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

function sparedSentence(folder: string, run: string, reason: SparedReason): string {
  const path = join(folder, run);
  switch (reason) {
    case 'baseline':
      return `${run} keeps its media: it is the run of the stored baseline`;
    case 'in_use':
      return `${run} keeps its media: another process uses it`;
    case 'not_examined':
      return `${run} keeps its media: some outputs are not examined yet; run retake report ${path}, then prune again`;
    case 'unreadable':
      return `${run} keeps its media: its record cannot be read; retake report ${path} says why`;
    case 'not_writable':
      return `${run} keeps its media: its folder cannot be written to; give write permission`;
    case 'not_merged':
      return `${run} keeps its media: it is a shard of a run that is not merged`;
  }
}
