import { join } from 'node:path';
import { unscoredTakes } from '../../analysis/incomplete.ts';
import { unexamined } from '../../examine/pairs.ts';
import { accepted, type FileFault, fileFaultOf } from '../../kit/diagnostic.ts';
import { bytes, commandLine, count, plural } from '../../kit/wording.ts';
import { isShardName, wholeRunOf } from '../../record/codes.ts';
import { findSuiteFolder, runsIn, shardsIn } from '../../record/find-run.ts';
import { deleteFiles, freedBytes, inputImages, type StoredFile, storedFiles } from '../../record/output-files.ts';
import { findBaseline, readRecord, readRun } from '../../record/read-record.ts';
import { checkUnlocked, lockRecord } from '../../record/store.ts';
import type { prune } from '../declared/record-commands.ts';
import { misuse } from '../display/print.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

export type PruneArguments = ArgumentsOf<typeof prune>;

/** `retake prune`: deletes media of older runs and their shards. All else stays: reports can be made again. */
export async function pruneCommand(args: PruneArguments, edge: Edge): Promise<ExitCode> {
  const { keep, dryRun } = args;
  if (!Number.isSafeInteger(keep) || keep < 0) {
    return misuse(edge, 'prune', '--keep takes a whole number of runs, 0 or more');
  }
  const folder = accepted(findSuiteFolder(args.suite, { cwd: edge.cwd, results: args.out }));
  // An unreadable baseline does not say which run to keep: delete nothing.
  const baseline = accepted(await findBaseline(folder));
  const plan = await planPrune(folder, args, baseline?.run ?? null, edge);
  const done = dryRun ? { dropped: plan.dropped, spared: plan.spared, fault: null } : dropAll(folder, plan, edge);
  printPruned(folder, { ...plan, ...done }, args, edge);
  if (done.fault !== null) return misuse(edge, 'prune', `${done.fault.cause}; ${done.fault.remedy}`);
  const isInterrupted = done.dropped.length + done.spared.length < plan.dropped.length + plan.spared.length;
  if (isInterrupted) edge.say('interrupted: the remaining runs keep their media');
  return isInterrupted || done.spared.some(({ reason }) => NEEDS_USER[reason]) ? EXIT.incomplete : EXIT.ok;
}

interface Done extends Pick<PrunePlan, 'dropped' | 'spared'> {
  readonly fault: FileFault | null;
}

/** Run by run, each locked; an interrupt ends it between two runs. */
function dropAll(folder: string, plan: PrunePlan, edge: Pick<Edge, 'processes' | 'drain'>): Done {
  const dropped: DroppedRun[] = [];
  const spared = [...plan.spared];
  for (const { run, files } of plan.dropped) {
    if (edge.drain.aborted) break;
    const path = join(folder, run);
    // Another process may have begun to use it since the plan was made.
    const lock = lockRecord(path, edge.processes);
    if (!lock.ok) {
      const isUsed = !checkUnlocked(path, edge.processes).ok;
      spared.push({ run, reason: isUsed ? 'in_use' : 'not_writable' });
      continue;
    }
    try {
      deleteFiles(path, files);
    } catch (error) {
      const fault = fileFaultOf(error);
      if (fault === null) throw error;
      return { dropped, spared, fault };
    } finally {
      lock.value.release();
    }
    dropped.push({ run, files });
  }
  return { dropped, spared, fault: null };
}

interface PrunePlan {
  /** All runs of the suite, and how many count as last ones. */
  readonly runs: number;
  readonly kept: number;
  /** Runs and shards with files to delete, the earliest first. */
  readonly dropped: readonly DroppedRun[];
  readonly spared: readonly SparedRun[];
}

interface DroppedRun {
  readonly run: string;
  readonly files: readonly StoredFile[];
}

interface SparedRun {
  readonly run: string;
  readonly reason: SparedReason;
}

type SparedReason =
  /** It is the run of the stored baseline: `near` and `similar` need its media. */
  | 'baseline'
  | 'in_use'
  /** Some of its outputs have no facts, which could not be made any more. */
  | 'not_examined'
  | 'not_scored'
  | 'unreadable'
  | 'not_writable'
  /** A shard of a run that is not merged: merging needs its media. */
  | 'not_merged';

async function planPrune(
  folder: string,
  { keep, thumbs }: PruneArguments,
  baselineRun: string | null,
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
      const files = storedFiles(join(folder, part), thumbs ? 'media_and_thumbs' : 'media', inputs);
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
  if (unexamined(record.value) > 0) return 'not_examined';
  return unscoredTakes(record.value) === 0 ? null : 'not_scored';
}

/** Whether the user can remove the reason. */
const NEEDS_USER: Readonly<Record<SparedReason, boolean>> = {
  baseline: false,
  in_use: false,
  not_examined: true,
  not_scored: true,
  unreadable: true,
  not_writable: true,
  not_merged: false,
};

function printPruned(
  folder: string,
  { runs, kept, dropped, spared }: PrunePlan,
  { json, quiet, dryRun, thumbs }: PruneArguments,
  { out, err }: Pick<Edge, 'out' | 'err'>,
): void {
  const allFiles = dropped.flatMap(({ files }) => files);
  const freed = freedBytes(allFiles);
  if (json) {
    const shown = dropped.map(({ run, files }) => ({ run, files: files.length, bytes: sizeOf(files) }));
    out.write(`${JSON.stringify({ dryRun, runs, kept, dropped: shown, spared, freedBytes: freed })}\n`);
    return;
  }
  for (const { run, reason } of spared) {
    if (!quiet || NEEDS_USER[reason])
      printSentence(err, `${run} keeps its media: ${WHY_SPARED[reason](join(folder, run))}`);
  }
  if (quiet) return;
  for (const { run, files } of dropped) {
    printSentence(out, `${run}: ${plural(files.length, 'file')}, ${bytes(sizeOf(files))}`);
  }
  const what = thumbs ? 'media and thumbnails' : 'media';
  const last = kept === 0 ? '' : ` ${latestRuns(kept, runs)} ${kept === 1 ? 'keeps its' : 'keep their'} media.`;
  if (dropped.length === 0) {
    printSentence(out, `No ${what} to delete.${last}`);
    return;
  }
  const size = sizeOf(allFiles);
  const shared = size === freed ? '' : `; ${bytes(size - freed)} stay, because other runs use the same files`;
  const verb = dryRun ? 'Would delete' : 'Deleted';
  const gained = `${dryRun ? 'would free' : 'freed'} ${bytes(freed)}`;
  printSentence(out, `${verb} the ${what} of ${runsAndShards(dropped)}, ${gained}${shared}.${last}`);
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

const WHY_SPARED: Readonly<Record<SparedReason, (path: string) => string>> = {
  baseline: () => 'it is the run of the stored baseline',
  in_use: () => 'another process uses it',
  not_examined: (path) =>
    `some outputs are not examined yet; run ${commandLine(['retake', 'report', path])}, then prune again`,
  not_scored: (path) =>
    `some outputs are not scored yet; run ${commandLine(['retake', 'score', path])} (with --allow-commands for programs), then prune again`,
  unreadable: (path) => `its record cannot be read; ${commandLine(['retake', 'report', path])} says why`,
  not_writable: () => 'its folder cannot be written to; give write permission',
  not_merged: () => 'it is a shard of a run that is not merged',
};
