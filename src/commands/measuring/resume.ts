import { dirname } from 'node:path';
import { refusal } from '../../kit/diagnostic.ts';
import { lockRecord } from '../../record/store.ts';
import { startClock } from '../../run/clock.ts';
import { isLeft, slicesToSend } from '../../run/resumption.ts';
import { confirmRun } from '../../workflow/confirm-run.ts';
import { type Edge, type ExitCode, printSentence } from '../../workflow/edge.ts';
import { planSuite } from '../../workflow/plan-suite.ts';
import { readyRun } from '../../workflow/prepare-run.ts';
import { confirmRecord, ownSuite, recordedArguments } from '../../workflow/recorded-arguments.ts';
import { readEarlierRun, resumeRun } from '../../workflow/resume-run.ts';
import type { MeasureArguments } from '../../workflow/run-arguments.ts';
import { withRun } from '../../workflow/with-run.ts';
import { printWarnings, withWarnings } from '../display/print.ts';
import { resumptionSentences } from '../display/resumption.ts';
import { refuseFolder } from '../display/write-file.ts';
import { out } from '../line/options.ts';
import { checkScorers, measureAndReport } from './open-run.ts';

interface ResumeArguments extends MeasureArguments {
  readonly resume: string;
  readonly resendUnknown: boolean;
  /** This and what follows are for new runs, and refused. */
  readonly shard?: string | undefined;
  readonly run?: string | undefined;
  readonly label?: string | undefined;
  readonly vantage?: string | undefined;
  readonly confirm?: boolean | undefined;
  readonly untilDecided?: boolean | undefined;
  readonly out: string;
}

/** `retake run --resume`: continues a run that ended early; what has an answer is not sent again. */
export async function resumeCommand(args: ResumeArguments, edge: Edge): Promise<ExitCode> {
  const named = optionOfNewRun(args);
  if (named !== null) {
    const cause = `--resume cannot be used with ${named}`;
    throw refusal(cause, `remove ${named}: the record says how the run began`);
  }
  return withRun(args.resume, { lock: lockRecord }, edge, (folder) => resumeIn(folder, args, edge));
}

async function resumeIn(folder: string, args: ResumeArguments, edge: Edge): Promise<ExitCode> {
  const run = await readEarlierRun(folder);
  await checkScorers(run.scorers ?? [], args.allowCommands, edge);
  const begun = await recordedArguments(folder, run, args, edge.cwd);
  const { suite: file, set, against } = begun;
  const whole = withWarnings(
    edge,
    await planSuite(file, { set, against, allowOutside: args.allowOutside }, edge, {
      looks: run.plan.looks?.kind ?? null,
      nonce: run.plan.probes?.nonce,
    }),
  );
  const userSuite = await ownSuite(run, begun, args, whole, edge);
  await confirmRecord(run, begun, args, { prepared: whole, userSuite }, edge);
  const scoring = await edge.parts.loadScoring?.();
  const judges = (await scoring?.holdToSuite(run, whole.judges, userSuite, edge)) ?? [];
  const ready = await readyRun({ ...whole, judges }, run.shard, dirname(folder), edge);
  printWarnings(edge, ready.warnings);
  const { prepared } = ready;
  const { record, resumption, notices } = await resumeRun(folder, run, prepared, args, edge).catch((error: unknown) =>
    refuseFolder(folder, error),
  );
  const left = slicesToSend(prepared.plan, prepared.suite.load, resumption).map((slice) => ({
    ...slice,
    trials: slice.trials.filter((trial) => isLeft(resumption, trial)),
  }));
  try {
    await confirmRun(prepared, args, edge, left);
  } catch (error) {
    record.close();
    throw error;
  }
  for (const notice of notices) printSentence(edge.err, notice);
  if (!args.quiet && !args.json)
    for (const sentence of resumptionSentences(run, prepared, resumption)) printSentence(edge.err, sentence);
  return measureAndReport({ ...ready, record, run, resumption, clock: startClock() }, args, edge);
}

function optionOfNewRun({
  shard,
  run,
  label,
  vantage,
  confirm,
  untilDecided,
  ...given
}: ResumeArguments): string | null {
  if (given.out !== out.out.default) return '--out';
  if (shard !== undefined) return '--shard';
  if (run !== undefined) return '--run';
  if (label !== undefined) return '--label';
  if (vantage !== undefined) return '--vantage';
  if (confirm === true) return '--confirm';
  return untilDecided === true ? '--until-decided' : null;
}
