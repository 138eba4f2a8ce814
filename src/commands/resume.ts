import { dirname, resolve } from 'node:path';
import { isLeft, slicesToSend } from '../run/resume/resumption.ts';
import { startClock } from '../run/wire/clock.ts';
import { type Diagnostic, refused } from '../suite/document/diagnostic.ts';
import { knowSecrets } from '../targets/secrets/known-secrets.ts';
import { readSecrets } from '../targets/secrets/secrets.ts';
import { resumptionSentences } from './display/describe/describe-resumption.ts';
import { refuseFolder } from './display/open-folder.ts';
import { printDiagnostics, printWarnings } from './display/print.ts';
import { type Edge, type ExitCode, printSentence } from './edge.ts';
import { out } from './line/options.ts';
import { type MeasureArguments, measureAndReport } from './open-run.ts';
import { checkHistory } from './setup/history/check-history.ts';
import { checkDescriptors } from './setup/machine/descriptor-limit.ts';
import { checkStoredBaseline } from './setup/plan/check-stored-baseline.ts';
import { confirmCost, costEstimate } from './setup/plan/confirm-cost.ts';
import { planSuite } from './setup/plan/plan-suite.ts';
import { takeShare } from './setup/plan/take-share.ts';
import { confirmRecord } from './setup/resume/confirm-record.ts';
import { recordedArguments } from './setup/resume/recorded-arguments.ts';
import { findEarlierRun, resumeRun } from './setup/resume/resume-run.ts';

export interface ResumeArguments extends MeasureArguments {
  /** The folder of a run that ended early. */
  readonly resume: string;
  /** Send requests again that may have been charged. */
  readonly resendUnknown: boolean;
  /** This and what follows: only for a new run, refused here. */
  readonly shard?: string | undefined;
  readonly run?: string | undefined;
  readonly label?: string | undefined;
  readonly confirm?: boolean | undefined;
  readonly untilDecided?: boolean | undefined;
  readonly out: string;
  readonly dryRun: boolean;
}

/** `retake run --resume`: continues a run that ended early; what has an answer is not sent again. */
export async function resumeCommand(args: ResumeArguments, edge: Edge): Promise<ExitCode> {
  const named = optionOfNewRun(args);
  if (named !== null) {
    const cause = `--resume cannot be used with ${named}`;
    return printDiagnostics(edge, refused(cause, `remove ${named}: the record says how the run began`).diagnostics);
  }
  const earlier = await findEarlierRun(resolve(edge.cwd, args.resume), edge);
  if (!earlier.ok) return printDiagnostics(edge, earlier.diagnostics);
  const { run, release } = earlier.value;
  const refuse = (diagnostics: readonly Diagnostic[]): ExitCode => {
    release();
    return printDiagnostics(edge, diagnostics);
  };
  const begun = await recordedArguments(earlier.value.folder, run, args, edge.cwd);
  if (!begun.ok) return refuse(begun.diagnostics);
  const { suite: file, set, against } = begun.value;
  const whole = await planSuite(file, { set, against, allowOutside: args.allowOutside }, edge, {
    looks: run.plan.looks?.kind ?? null,
    nonce: run.plan.probes?.nonce,
  });
  if (!whole.ok) return refuse(whole.diagnostics);
  printWarnings(edge, whole.warnings);
  const trusted = await confirmRecord(run, begun.value, args, whole.value, edge);
  if (!trusted.ok) return refuse(trusted.diagnostics);
  const prepared = takeShare(whole.value, run.shard);
  if (!prepared.ok) return refuse(prepared.diagnostics);
  const secrets = readSecrets(prepared.value.variants, edge.env);
  if (!secrets.ok) return refuse(secrets.diagnostics);
  // As before a new run: report what would end this one before a request is charged.
  const { suite } = prepared.value;
  const descriptors = checkDescriptors(suite.load.concurrency);
  if (!descriptors.ok) return refuse(descriptors.diagnostics);
  const history = run.shard === null ? await checkHistory(dirname(earlier.value.folder), suite) : NO_HISTORY;
  if (!history.ok) return refuse(history.diagnostics);
  const stored = await checkStoredBaseline(dirname(earlier.value.folder), suite);
  if (!stored.ok) return refuse(stored.diagnostics);
  edge.redactErrors(knowSecrets(Object.values(secrets.value)).redact);
  const options = { resendUnknown: args.resendUnknown };
  const resumed = await resumeRun(earlier.value, prepared.value, options, edge).catch((error: unknown) =>
    refuseFolder(earlier.value.folder, error),
  );
  if (!resumed.ok) return refuse(resumed.diagnostics);
  const { record, resumption, notices } = resumed.value;
  const { limits, load } = suite;
  const left = slicesToSend(prepared.value.plan, load, resumption).map((slice) => ({
    ...slice,
    trials: slice.trials.filter((trial) => isLeft(resumption, trial)),
  }));
  const asked = { yes: args.yes, limitUsd: limits.usd };
  const agreed = await confirmCost(costEstimate(prepared.value, left), asked, edge);
  if (!agreed.ok) {
    record.close();
    return refuse(agreed.diagnostics);
  }
  for (const notice of notices) printSentence(edge.err, notice);
  if (!args.quiet && !args.json)
    for (const sentence of resumptionSentences(run, prepared.value, resumption)) printSentence(edge.err, sentence);
  const measured = { record, run, resumption, prepared: prepared.value, secrets: secrets.value };
  return measureAndReport({ ...measured, clock: startClock(), release }, args, edge);
}

/** A shard has no history. */
const NO_HISTORY = { ok: true } as const;

function optionOfNewRun({
  shard,
  run,
  label,
  confirm,
  untilDecided,
  dryRun,
  ...given
}: ResumeArguments): string | null {
  if (dryRun) return '--dry-run';
  if (given.out !== out.out.default) return '--out';
  if (shard !== undefined) return '--shard';
  if (run !== undefined) return '--run';
  if (label !== undefined) return '--label';
  if (confirm === true) return '--confirm';
  return untilDecided === true ? '--until-decided' : null;
}
