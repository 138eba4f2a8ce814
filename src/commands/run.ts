import { resolve } from 'node:path';
import type { Analysis, VariantSummary } from '../analysis/analysis.ts';
import { whyIncomplete } from '../analysis/warning-codes/incomplete-run.ts';
import type { PreparedSuite } from '../prepare/prepare-suite.ts';
import { lockRecord } from '../record/lock.ts';
import type { Calibration } from '../record/model/calibration.ts';
import type { GivenUp } from '../record/model/given-up.ts';
import type { Run } from '../record/model/run.ts';
import { OUTCOMES, type Outcome } from '../record/model/sample.ts';
import type { Stop } from '../record/model/stop.ts';
import { createRecord, type RecordWriter } from '../record/store.ts';
import { renderTerminal } from '../report/terminal/terminal.ts';
import {
  failuresWords,
  givenUpCause,
  givenUpRemedy,
  incompleteCause,
  incompleteRemedy,
  stopCause,
  stopRemedy,
} from '../report/words/stop-words.ts';
import type { RunnerEvent } from '../run/calls/runner-event.ts';
import { exceedFailureLimit } from '../run/limits/failure-limit.ts';
import { type Clock, startClock } from '../run/wire/clock.ts';
import type { Checked } from '../suite/document/diagnostic.ts';
import type { Limits } from '../suite/format/suite.ts';
import { readSecrets, type Secrets } from '../targets/secrets/secrets.ts';
import { duration, plural } from '../text/quantity.ts';
import { visibleLine } from '../text/visible.ts';
import { leftOutProbes } from './display/describe-probes.ts';
import { refuseFolder } from './display/open-folder.ts';
import {
  leftOutVariants,
  NOT_EXAMINED,
  printDiagnostics,
  printWarnings,
  unaskedPrompts,
  unfitness,
} from './display/print.ts';
import { createProgress } from './display/progress.ts';
import type { Published } from './display/publish.ts';
import { showNothing, showProgress } from './display/show-progress.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';
import { checkDescriptors } from './setup/descriptor-limit.ts';
import { measureRun } from './setup/measure-run.ts';
import { prepare } from './setup/prepare.ts';
import { describeRun } from './setup/run-header.ts';

export interface RunArguments {
  readonly suite: string;
  readonly set: readonly string[];
  readonly out: string;
  readonly quiet: boolean;
  readonly json: boolean;
}

/** `retake run`: measures a suite into a new record, examines, analyses and reports it. */
export async function runCommand(args: RunArguments, edge: Edge): Promise<ExitCode> {
  const prepared = await prepare(args.suite, args.set, edge);
  if (!prepared.ok) return printDiagnostics(edge, prepared.diagnostics);
  printWarnings(edge, prepared.warnings);
  const secrets = readSecrets(prepared.value.variants, edge.env);
  if (!secrets.ok) return printDiagnostics(edge, secrets.diagnostics);

  const descriptors = checkDescriptors(prepared.value.suite.load.concurrency);
  if (!descriptors.ok) return printDiagnostics(edge, descriptors.diagnostics);
  const results = resolve(edge.cwd, args.out);
  const calibrated = await calibrateFor(results, edge);
  if (!calibrated.ok) return printDiagnostics(edge, calibrated.diagnostics);
  if (calibrated.value !== null) tellCalibration(args, edge, calibrated.value);
  const clock = startClock();
  const run = await describeRun(prepared.value, clock.originAt, calibrated.value, edge);
  const record = openRecord(results, run);
  if (!record.ok) return printDiagnostics(edge, record.diagnostics);
  const lock = lockRecord(record.value.folder, edge.pid, edge.isRunning);
  if (!lock.ok) return printDiagnostics(edge, lock.diagnostics);
  try {
    const { folder } = record.value;
    const { suite, variants, leftOut, skippedProbes } = prepared.value;
    const said = [...leftOutVariants(leftOut), ...unaskedPrompts(suite, variants), ...leftOutProbes(skippedProbes)];
    for (const sentence of said) {
      edge.err.write(`${sentence}\n`);
    }
    tell(args, edge, { event: 'run', run: run.id, folder, requests: run.plan.requests });
    const stop = await measureAndShow(record.value, prepared.value, secrets.value, clock, args, edge);
    // Checked now: what draws the report takes no memory while measuring, and no time from a suite that is wrong.
    const { publish } = await import('./display/publish.ts');
    const options = { formats: null, out: folder, quiet: args.quiet || args.json };
    const published = await publish(folder, options, edge).catch((error: unknown) => {
      if (stop.reason !== 'disk') throw error;
      return refuseFolder(folder, error);
    });
    if (!published.ok && stop.reason === 'disk') {
      edge.err.write(`the run is incomplete: ${visibleLine(`${stopCause(stop)}; ${stopRemedy(stop)}`)}\n`);
      return EXIT.incomplete;
    }
    if (!published.ok) return printDiagnostics(edge, published.diagnostics);
    const code = conclude(args, edge, published.value, prepared.value.suite.limits);
    const needed = leftOut.filter(({ optional }) => !optional);
    for (const sentence of leftOutVariants(needed))
      edge.err.write(`the run is incomplete: ${sentence}; ${OPTIONAL_REMEDY}\n`);
    return code === EXIT.ok && needed.length > 0 ? EXIT.incomplete : code;
  } finally {
    lock.value.release();
  }
}

/** What to do about variants that this machine cannot measure. */
const OPTIONAL_REMEDY = 'install what is missing, or mark them optional: true';

async function measureAndShow(
  record: RecordWriter,
  prepared: PreparedSuite,
  secrets: Secrets,
  clock: Clock,
  args: RunArguments,
  edge: Edge,
): Promise<Stop> {
  const progress = createProgress(requestsByVariant(prepared));
  const display =
    args.quiet || args.json
      ? showNothing(progress, edge.err, args.quiet, clock.now)
      : showProgress(progress, edge.err, clock.now);
  edge.drain.addEventListener('abort', display.stopping);
  const observe = (event: RunnerEvent) => {
    progress.observe(event);
    if (event.event === 'given_up') display.say(sayGivenUp(event.variant, event.why));
    if (args.json) edge.out.write(`${JSON.stringify(event)}\n`);
  };
  let stop: Stop;
  try {
    stop = await measureRun(record, prepared, secrets, clock, edge, observe);
  } finally {
    edge.drain.removeEventListener('abort', display.stopping);
    display.close();
  }
  if (!args.quiet && !args.json) edge.err.write(`${progress.line(clock.now())}\n`);
  return stop;
}

function sayGivenUp(variant: string, why: GivenUp): string {
  return visibleLine(
    `left out ${variant}: ${givenUpCause(why)}; ${givenUpRemedy(why)}; no more requests of it are sent`,
  );
}

function tell(
  { json, quiet }: RunArguments,
  edge: Edge,
  event: { event: 'run'; run: string; folder: string; requests: number },
): void {
  if (json) edge.out.write(`${JSON.stringify(event)}\n`);
  else if (!quiet) edge.err.write(`run ${event.run}: ${plural(event.requests, 'request')} into ${event.folder}\n`);
}

/** An unfit machine is told before anything is spent on it; the report says it again. */
function tellCalibration({ json, quiet }: RunArguments, edge: Edge, calibration: Calibration): void {
  if (json) edge.out.write(`${JSON.stringify({ event: 'calibrated', calibration })}\n`);
  if (json || quiet) return;
  const { tookMs, floorMs } = calibration;
  edge.err.write(`calibrated in ${duration(tookMs)}; noise floor of this machine: ${duration(floorMs)}\n`);
  for (const sentence of unfitness(calibration)) edge.err.write(`${sentence}\n`);
}

/** Results to standard output: the table, then where the reports are. */
function conclude(
  { json }: RunArguments,
  edge: Edge,
  { analysis, files, examined }: Published,
  limits: Limits,
): ExitCode {
  const { complete, stop } = analysis.run;
  if (json) {
    edge.out.write(`${JSON.stringify({ event: 'report', complete, stop, files })}\n`);
  } else {
    edge.out.write(renderTerminal(analysis, { colour: edge.out.colour, width: edge.out.width }));
    const page = files.find((file) => file.endsWith('.html'));
    edge.out.write(`\n${page === undefined ? `Written: ${files.join(', ')}` : `Report: ${page}`}\n`);
  }
  if (!complete) {
    const why = whyIncomplete(analysis);
    const sentence = `${incompleteCause(why)}; ${incompleteRemedy(why)}`;
    edge.err.write(`the run is incomplete: ${visibleLine(sentence)}\n`);
  }
  if (!examined) edge.err.write(`${NOT_EXAMINED}\n`);
  if (!complete || !examined) return EXIT.incomplete;
  const faults = unusable(analysis, limits);
  for (const sentence of faults) edge.err.write(`${visibleLine(sentence)}\n`);
  return faults.length === 0 ? EXIT.ok : EXIT.incomplete;
}

/** Why the results of a complete run are not to be used: a variant that delivered nothing, or too many failures in all. */
function unusable({ variants }: Analysis, limits: Limits): readonly string[] {
  const empty = variants
    .filter(({ outcomes, plannedTrials }) => plannedTrials > 0 && !outcomes.ok && !outcomes.moderated)
    .map(
      ({ name, plannedTrials }) => `${name}: none of its ${plural(plannedTrials, 'trial')} delivered; see the failures`,
    );
  // The runner judged by the first bytes; what examination found not to decode counts now.
  const broken = exceedFailureLimit(variants.flatMap(outcomesOf), limits.failures);
  return broken === null ? empty : [...empty, `after examination, ${failuresWords(broken)}`];
}

function outcomesOf({ outcomes }: VariantSummary): readonly (readonly [Outcome, number])[] {
  return OUTCOMES.map((outcome) => [outcome, outcomes[outcome] ?? 0] as const);
}

function requestsByVariant({ variants, plan }: PreparedSuite): ReadonlyMap<string, number> {
  const totals = new Map(variants.map(({ name }) => [name, 0]));
  for (const { trials } of plan.slices) {
    for (const { variant } of trials) totals.set(variant, (totals.get(variant) ?? 0) + 1);
  }
  return totals;
}

function openRecord(results: string, run: Run): Checked<RecordWriter> {
  try {
    return { ok: true, value: createRecord(results, run) };
  } catch (error) {
    return refuseFolder(results, error);
  }
}

/** Null where an interrupt broke it off; the run then ends before its first request. */
async function calibrateFor(results: string, { drain }: Edge): Promise<Checked<Calibration | null>> {
  // Checked now: a suite that is wrong is told so without it.
  const { calibrateMachine } = await import('./setup/calibrate-machine.ts');
  try {
    return { ok: true, value: await calibrateMachine('short', results, drain) };
  } catch (error) {
    return refuseFolder(results, error);
  }
}
