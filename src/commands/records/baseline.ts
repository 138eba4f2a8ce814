import { dirname } from 'node:path';
import { metricsOfRecord } from '../../analysis/metrics.ts';
import { baselineFrom } from '../../analysis/stability.ts';
import { refusal } from '../../kit/diagnostic.ts';
import { plural } from '../../kit/wording.ts';
import type { Baseline } from '../../record/kept-run.ts';
import { findBaseline, writeBaseline } from '../../record/read-record.ts';
import { lockRecord } from '../../record/store.ts';
import { answerOf } from '../../report/run-answer.ts';
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
  return withRun(args.run, { lock: lockRecord }, edge, (folder) => keepBaseline(folder, args, edge));
}

async function keepBaseline(
  folder: string,
  { force, restartHistory, quiet }: BaselineArguments,
  edge: Edge,
): Promise<ExitCode> {
  const { record, analysed, comparisons, verdict, examined } = await assessRun(
    folder,
    { quiet, baseline: 'none' },
    edge,
  );
  if (record.run.shard !== null) {
    throw refusal(`${folder} is a shard of a run`, 'merge the shards, then keep the merged run');
  }
  const isKept = examined && (verdict.complete || force);
  if (!isKept) {
    edge.say(examined ? INCOMPLETE : NOT_EXAMINED);
    return EXIT.incomplete;
  }
  const suiteFolder = dirname(folder);
  const kept = baselineFrom(record.run, analysed, metricsOfRecord(record));
  const historyFrom = restartHistory
    ? { run: kept.run, startedAt: kept.createdAt }
    : await historyStart(suiteFolder, edge);
  const baseline = historyFrom === undefined ? kept : { ...kept, historyFrom };
  const path = writeBaseline(suiteFolder, baseline);
  const cells = `${plural(baseline.cells.length, 'prompt x seed')} of ${plural(baseline.variants.length, 'variant')}`;
  if (!quiet) {
    edge.say(`run ${baseline.run} is the stored baseline of ${baseline.suite.name}: ${cells}`);
    if (record.run.gate.length > 0 && verdict.verdict === 'fail')
      edge.say(
        `the gate of this run failed: ${answerOf({ analysis: analysed.analysis, comparisons, verdict }).answer}`,
      );
    if (restartHistory) edge.say(ignoredRunsWords(baseline.run));
  }
  edge.out.write(`${path}\n`);
  return EXIT.ok;
}

/** That of the baseline before, which a new one does not change. */
async function historyStart(suiteFolder: string, { say }: Pick<Edge, 'say'>): Promise<Baseline['historyFrom']> {
  const before = await findBaseline(suiteFolder);
  if (before.ok) return before.value?.historyFrom;
  say('the stored baseline before could not be read: rules against earlier runs use all runs');
  return undefined;
}

const INCOMPLETE = 'the run is incomplete: keep a complete run, or keep this one with --force';
