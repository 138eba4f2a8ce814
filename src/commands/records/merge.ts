import { resolve } from 'node:path';
import type { Analysis } from '../../analysis/analysis.ts';
import { accepted } from '../../kit/diagnostic.ts';
import { plural } from '../../kit/wording.ts';
import { missingShards } from '../../plan/share.ts';
import { type MergedRecord, mergeRecords } from '../../record/merge-record.ts';
import type { Run, RunTogether } from '../../record/run.ts';
import { checkUnlocked, lockRecord } from '../../record/store.ts';
import type { DeclaredScorer } from '../../suite/scorer.ts';
import { keepHistory } from '../../workflow/history.ts';
import { whileLocked } from '../../workflow/with-run.ts';
import type { merge } from '../declared/record-commands.ts';
import { conclude } from '../display/conclude.ts';
import { publish } from '../display/publish.ts';
import { scoreTheRest } from '../display/resumption.ts';
import { type Edge, type ExitCode, printCommand } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

type MergeArguments = ArgumentsOf<typeof merge>;

/**
 * `retake merge`: joins the records of a run's shards into one; examines, analyses and reports it.
 * @param together null outside a fleet
 */
export async function mergeCommand(
  args: MergeArguments,
  edge: Edge,
  together: RunTogether | null = null,
): Promise<ExitCode> {
  const folders = args.shards.map((shard) => resolve(edge.cwd, shard));
  for (const folder of folders) accepted(checkUnlocked(folder, edge.processes));
  const options = { together, replace: args.replace ? edge.processes : null };
  const merged = accepted(await mergeRecords(folders, resolve(edge.cwd, args.out), options));
  return whileLocked(accepted(lockRecord(merged.folder, edge.processes)), () => reportMerged(merged, args, edge));
}

async function reportMerged(
  { folder, run, notices }: MergedRecord,
  { quiet, json }: MergeArguments,
  edge: Edge,
): Promise<ExitCode> {
  for (const notice of notices) edge.say(notice);
  const { of } = run.merged;
  const missing = missingShards(run.merged);
  if (json) edge.out.write(`${JSON.stringify({ event: 'merged', run: run.id, folder, of, missing })}\n`);
  else if (!quiet) edge.say(`run ${run.id}: ${of - missing.length} of ${plural(of, 'shard')} into ${folder}`);
  const published = await publish(folder, { formats: null, out: folder, quiet: quiet || json }, edge);
  keepHistory(folder, published.line, edge);
  const code = conclude(json, edge, published, { ...run, hold: run.hold ?? null });
  const waiting = waitingScorers(run, published.analysis);
  const asked = waiting.filter((use) => use === 'command' || use === 'judge');
  if (asked.length > 0) printCommand(edge.err, scoreTheRest(folder, asked, null, edge.cwd));
  if (waiting.includes('file')) printCommand(edge.err, scoreTheRest(folder, ['file'], null, edge.cwd));
  return code;
}

/** Kinds of the scorers with outputs left. */
function waitingScorers(
  { scorers = [] }: Pick<Run, 'scorers'>,
  { scorers: summaries = [] }: Pick<Analysis, 'scorers'>,
): readonly DeclaredScorer['use'][] {
  return scorers.flatMap(({ name, use }) => {
    const { source = null, variants = [] } = summaries.find(({ scorer }) => scorer === name) ?? {};
    // A file may be about some variants only, such as those of one kind.
    const isAsked = (scored: number) => use === 'command' || use === 'judge' || source === null || scored > 0;
    return variants.some(({ waiting, scored }) => waiting > 0 && isAsked(scored)) ? [use] : [];
  });
}
