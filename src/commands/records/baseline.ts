import { dirname, relative } from 'node:path';
import { metricsOfRecord } from '../../analysis/metrics.ts';
import { baselineFrom } from '../../analysis/stability.ts';
import { refusal } from '../../kit/diagnostic.ts';
import { commandLine, plural } from '../../kit/wording.ts';
import type { Baseline } from '../../record/kept-run.ts';
import { findBaseline, salvageHistory, writeBaseline } from '../../record/read-record.ts';
import { lockRecord } from '../../record/store.ts';
import { ignoredRunsWords } from '../../report/trend-statement.ts';
import { assessRun } from '../../workflow/assess-run.ts';
import { withRun } from '../../workflow/with-run.ts';
import type { baseline } from '../declared/record-commands.ts';
import { NOT_EXAMINED } from '../display/print.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

type BaselineArguments = ArgumentsOf<typeof baseline>;

/** `retake baseline`: stores what later runs of a suite are compared with, as `baseline.json` in the suite's folder. */
export async function baselineCommand(args: BaselineArguments, edge: Edge): Promise<ExitCode> {
  return withRun(args.run, { lock: lockRecord }, edge, (folder, isLatest) =>
    keepBaseline(folder, isLatest, args, edge),
  );
}

async function keepBaseline(
  folder: string,
  isLatest: boolean,
  { force, restartHistory, quiet }: BaselineArguments,
  edge: Edge,
): Promise<ExitCode> {
  const { record, analysed, verdict, examined, line } = await assessRun(folder, { quiet, baseline: 'none' }, edge);
  if (record.run.shard !== null) {
    throw refusal(`${folder} is a shard of a run`, 'merge the shards, then keep the merged run');
  }
  const isKept = examined && (verdict.complete || force);
  if (!isKept) {
    edge.say(examined ? INCOMPLETE : NOT_EXAMINED);
    return EXIT.incomplete;
  }
  const suiteFolder = dirname(folder);
  // As it was decided, against the stored baseline that it would replace.
  const decided = salvageHistory(suiteFolder).find(({ run }) => run === record.run.id) ?? line;
  const why = decided.said === undefined ? '' : `: ${decided.said.answer.replace(/\.$/, '')}`;
  const failed = decided.verdict === 'fail' ? `the gate of run ${decided.run} failed${why}` : null;
  if (failed !== null && isLatest && !force) {
    const kept = ['retake', 'baseline', relative(edge.cwd, folder), ...(restartHistory ? ['--restart-history'] : [])];
    throw refusal(failed, `name an earlier run; to keep this one despite that: ${commandLine(kept)}`);
  }
  const kept = baselineFrom(record.run, analysed, metricsOfRecord(record));
  const historyFrom = restartHistory
    ? { run: kept.run, startedAt: kept.createdAt }
    : await historyStart(suiteFolder, edge);
  const baseline = historyFrom === undefined ? kept : { ...kept, historyFrom };
  const path = writeBaseline(suiteFolder, baseline);
  const cells = `${plural(baseline.cells.length, 'prompt x seed')} of ${plural(baseline.variants.length, 'variant')}`;
  if (!quiet) {
    edge.say(`run ${baseline.run} is the stored baseline of ${baseline.suite.name}: ${cells}`);
    if (failed !== null) edge.say(failed);
    if (restartHistory) edge.say(ignoredRunsWords(baseline.run));
  }
  edge.out.write(`${path}\n`);
  return EXIT.ok;
}

/** That of the baseline before, which a new one does not change. */
async function historyStart(suiteFolder: string, { say }: Pick<Edge, 'say'>): Promise<Baseline['historyFrom']> {
  const before = await findBaseline(suiteFolder);
  if (before.ok) return before.value?.historyFrom;
  say('the previous stored baseline could not be read, so rules against earlier runs use all runs');
  return undefined;
}

const INCOMPLETE = 'the run is incomplete: keep a complete run, or keep this one with --force';
