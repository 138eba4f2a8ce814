import { resolve } from 'node:path';
import { checkUnlocked, lockRecord } from '../record/lock.ts';
import { missingShards } from '../record/merge/missing-shards.ts';
import { mergeRecords } from '../record/merge-record.ts';
import { plural } from '../text/wording.ts';
import { conclude } from './display/conclude.ts';
import { printDiagnostics } from './display/print.ts';
import { publish } from './display/publish.ts';
import { type Edge, type ExitCode, printSentence } from './edge.ts';
import { keepHistory } from './setup/history/keep-history.ts';

export interface MergeArguments {
  readonly shards: readonly string[];
  readonly out: string;
  readonly quiet: boolean;
  readonly json: boolean;
}

/** `retake merge`: joins the records of a run's shards into one; examines, analyses and reports it. */
export async function mergeCommand({ shards, out, quiet, json }: MergeArguments, edge: Edge): Promise<ExitCode> {
  const folders = shards.map((shard) => resolve(edge.cwd, shard));
  for (const folder of folders) {
    const unlocked = checkUnlocked(folder, edge.processes);
    if (!unlocked.ok) return printDiagnostics(edge, unlocked.diagnostics);
  }
  const merged = await mergeRecords(folders, resolve(edge.cwd, out));
  if (!merged.ok) return printDiagnostics(edge, merged.diagnostics);
  const { folder, run, notices } = merged.value;
  const lock = lockRecord(folder, edge.processes);
  if (!lock.ok) return printDiagnostics(edge, lock.diagnostics);
  try {
    for (const notice of notices) printSentence(edge.err, notice);
    const { of } = run.merged;
    const missing = missingShards(run.merged);
    if (json) edge.out.write(`${JSON.stringify({ event: 'merged', run: run.id, folder, of, missing })}\n`);
    else if (!quiet)
      printSentence(edge.err, `run ${run.id}: ${of - missing.length} of ${plural(of, 'shard')} into ${folder}`);
    const published = await publish(folder, { formats: null, out: folder, quiet: quiet || json }, edge);
    if (!published.ok) return printDiagnostics(edge, published.diagnostics);
    keepHistory(folder, published.value.line, edge);
    return conclude(json, edge, published.value, run);
  } finally {
    lock.value.release();
  }
}
