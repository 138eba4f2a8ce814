import { join } from 'node:path';
import { unscoredTakes } from '../../analysis/incomplete.ts';
import { unexamined } from '../../examine/pairs.ts';
import { accepted } from '../../kit/diagnostic.ts';
import { bytes, commandLine, plural } from '../../kit/wording.ts';
import { wholeRunOf } from '../../record/codes.ts';
import { findSuiteFolder, runsIn, shardsIn } from '../../record/find-run.ts';
import { deleteFiles, freedBytes, inputImages, type StoredFile, storedFiles } from '../../record/output-files.ts';
import { findBaseline, readRecord, readRun } from '../../record/read-record.ts';
import { checkUnlocked, lockRecord } from '../../record/store.ts';
import type { prune } from '../declared/record-commands.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

export type PruneArguments = ArgumentsOf<typeof prune>;

/** Why a run keeps its media. */
interface Spared {
  readonly why: string;
  /** Whether the user can change that; said with --quiet too. */
  readonly waits: boolean;
}

const IN_USE: Spared = { why: 'another process uses it', waits: false };

/** `retake prune`: deletes media of older runs and their shards. All else stays: reports can be made again. */
export async function pruneCommand(args: PruneArguments, edge: Edge): Promise<ExitCode> {
  const { thumbs, dryRun, quiet } = args;
  const folder = accepted(findSuiteFolder(args.suite, { cwd: edge.cwd, results: args.out }));
  const pruned: (readonly StoredFile[])[] = [];
  let isWaiting = false;
  for (const { run, files, spared } of await planPrune(folder, args, edge)) {
    if (edge.drain.aborted) {
      edge.say('interrupted: the remaining runs keep their media');
      isWaiting = true;
      break;
    }
    const kept = spared ?? (dryRun ? null : deleteMedia(join(folder, run), files, edge));
    if (kept !== null) {
      isWaiting ||= kept.waits;
      if (!quiet || kept.waits) edge.say(`spared: ${run} (${kept.why})`);
      continue;
    }
    pruned.push(files);
    if (!quiet) printSentence(edge.out, `${run}: ${plural(files.length, 'file')}, ${bytes(sizeOf(files))}`);
  }
  if (!quiet) {
    const all = pruned.flat();
    const freed = freedBytes(all);
    const others = freed === sizeOf(all) ? '' : '; other runs use the same files';
    const what = thumbs ? 'media and thumbnails' : 'media';
    const done = `${dryRun ? 'Would delete' : 'Deleted'} the ${what} of ${plural(pruned.length, 'run')}`;
    printSentence(edge.out, `${done}: ${bytes(freed)} ${dryRun ? 'would be free' : 'are free'}${others}.`);
  }
  return isWaiting ? EXIT.incomplete : EXIT.ok;
}

/** Null: they are deleted. Another process may have begun to use the run since the plan was made. */
function deleteMedia(
  folder: string,
  files: readonly StoredFile[],
  { processes }: Pick<Edge, 'processes'>,
): Spared | null {
  const lock = lockRecord(folder, processes);
  if (!lock.ok) {
    const isUsed = !checkUnlocked(folder, processes).ok;
    return isUsed ? IN_USE : { why: 'its folder cannot be written to', waits: true };
  }
  try {
    deleteFiles(folder, files);
    return null;
  } finally {
    lock.value.release();
  }
}

interface RunToPrune {
  readonly run: string;
  readonly files: readonly StoredFile[];
  /** Null: its files are to be deleted. */
  readonly spared: Spared | null;
}

/** Runs and shards with files to delete, the earliest first, and those that keep theirs. */
async function planPrune(
  folder: string,
  { keep, thumbs }: PruneArguments,
  edge: Pick<Edge, 'processes'>,
): Promise<readonly RunToPrune[]> {
  // An unreadable baseline does not say which run to keep: delete nothing.
  const baseline = accepted(await findBaseline(folder));
  const [runs, shards] = [runsIn(folder), shardsIn(folder)];
  const planned: RunToPrune[] = [];
  for (const run of runs.slice(0, Math.max(0, runs.length - keep))) {
    for (const part of [run, ...shards.filter((shard) => wholeRunOf(shard) === run)]) {
      const path = join(folder, part);
      const header = await readRun(path);
      const inputs: ReadonlySet<string> = header.ok ? inputImages(header.value) : new Set();
      const files = storedFiles(path, thumbs ? 'media_and_thumbs' : 'media', inputs);
      if (files.length === 0) continue;
      const ofBaseline = run === baseline?.run ? { why: 'it is the stored baseline', waits: false } : null;
      planned.push({ run: part, files, spared: ofBaseline ?? (await whySpared(path, edge)) });
    }
  }
  const spared = { why: 'a shard of a run that is not merged', waits: false };
  const unmerged = shards.filter((shard) => !runs.includes(wholeRunOf(shard)));
  return [...planned, ...unmerged.map((run) => ({ run, files: [], spared }))];
}

/** What was not done yet needs the media. */
async function whySpared(folder: string, { processes }: Pick<Edge, 'processes'>): Promise<Spared | null> {
  if (!checkUnlocked(folder, processes).ok) return IN_USE;
  const report = commandLine(['retake', 'report', folder]);
  const record = await readRecord(folder);
  if (!record.ok) return { why: `its record cannot be read: run "${report}" to see why`, waits: true };
  if (unexamined(record.value) > 0) return { why: `not examined yet: run "${report}"`, waits: true };
  if (unscoredTakes(record.value) === 0) return null;
  return { why: `not scored yet: run "${commandLine(['retake', 'score', folder])}"`, waits: true };
}

function sizeOf(files: readonly StoredFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}
