import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PreparedSuite } from '../prepare/prepare-suite.ts';
import { lockRecord } from '../record/lock.ts';
import type { Abandonment } from '../record/model/abandonment.ts';
import type { Calibration } from '../record/model/calibration.ts';
import type { Run } from '../record/model/run.ts';
import type { Stop } from '../record/model/stop.ts';
import { runId } from '../record/run-name.ts';
import { createRecord, type RecordWriter } from '../record/store.ts';
import { abandonedCause, abandonedRemedy, stopCause, stopRemedy } from '../report/words/stop-words.ts';
import type { RunnerEvent } from '../run/calls/runner-event.ts';
import { type Clock, startClock } from '../run/wire/clock.ts';
import { type Checked, refused } from '../suite/document/diagnostic.ts';
import { readSecrets, type Secrets } from '../targets/secrets/secrets.ts';
import { duration, plural } from '../text/quantity.ts';
import { visibleLine } from '../text/visible.ts';
import { conclude } from './display/conclude.ts';
import { describeAgainst } from './display/describe-against.ts';
import { leftOutProbes } from './display/describe-probes.ts';
import { refuseFolder } from './display/open-folder.ts';
import { leftOutVariants, printDiagnostics, printWarnings, unaskedPrompts, unfitness } from './display/print.ts';
import { createProgress } from './display/progress.ts';
import { showNothing, showProgress } from './display/show-progress.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';
import { checkStoredBaseline } from './setup/check-stored-baseline.ts';
import { chooseLooks, type LookArguments } from './setup/choose-looks.ts';
import { checkDescriptors } from './setup/descriptor-limit.ts';
import { keepHistory } from './setup/keep-history.ts';
import { measureRun } from './setup/measure-run.ts';
import { prepare } from './setup/prepare.ts';
import { describeRun } from './setup/run-header.ts';
import { type RunName, readRunName, takeShare } from './setup/take-share.ts';

export interface RunArguments extends LookArguments {
  readonly suite: string;
  readonly set: readonly string[];
  readonly out: string;
  readonly quiet: boolean;
  readonly json: boolean;
  /** The file of a stored baseline whose variants are sent again. */
  readonly against?: string | undefined;
  /** The name of the run. */
  readonly run?: string | undefined;
}

/** `retake run`: measures a suite, or a shard's share of it, into a new record, examines, analyses and reports it. */
export async function runCommand(args: RunArguments, edge: Edge): Promise<ExitCode> {
  const named = readRunName(args.shard, args.run);
  if (!named.ok) return printDiagnostics(edge, named.diagnostics);
  const looks = chooseLooks(args);
  if (!looks.ok) return printDiagnostics(edge, looks.diagnostics);
  const whole = await prepare(args.suite, args, edge, looks.value);
  if (!whole.ok) return printDiagnostics(edge, whole.diagnostics);
  printWarnings(edge, whole.warnings);
  const prepared = takeShare(whole.value, named.value.shard);
  if (!prepared.ok) return printDiagnostics(edge, prepared.diagnostics);
  const secrets = readSecrets(prepared.value.variants, edge.env);
  if (!secrets.ok) return printDiagnostics(edge, secrets.diagnostics);

  const results = resolve(edge.cwd, args.out);
  const history = await checkHistory(prepared.value, results);
  if (!history.ok) return printDiagnostics(edge, history.diagnostics);
  const descriptors = checkDescriptors(prepared.value.suite.load.concurrency);
  if (!descriptors.ok) return printDiagnostics(edge, descriptors.diagnostics);
  const taken = takenFolder(results, prepared.value.suite.name, named.value);
  if (taken !== null) return printDiagnostics(edge, refuseTaken(taken, named.value).diagnostics);
  const stored = await checkStoredBaseline(join(results, prepared.value.suite.name), prepared.value.suite);
  if (!stored.ok) return printDiagnostics(edge, stored.diagnostics);
  const calibrated = await calibrateFor(results, edge);
  if (!calibrated.ok) return printDiagnostics(edge, calibrated.diagnostics);
  if (calibrated.value !== null) tellCalibration(args, edge, calibrated.value);
  const clock = startClock();
  const run = await describeRun(prepared.value, clock.originAt, named.value.run, calibrated.value, edge);
  const record = openRecord(results, run, named.value);
  if (!record.ok) return printDiagnostics(edge, record.diagnostics);
  const lock = lockRecord(record.value.folder, edge.pid, edge.isRunning);
  if (!lock.ok) return printDiagnostics(edge, lock.diagnostics);
  try {
    const { folder } = record.value;
    const { suite, variants, against, leftOut, skippedProbes } = prepared.value;
    const said = [
      ...describeAgainst(against, variants),
      ...leftOutVariants(leftOut),
      ...unaskedPrompts(suite, variants),
      ...leftOutProbes(skippedProbes),
    ];
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
    if (run.shard === null) keepHistory(folder, published.value.line, edge);
    return conclude(args.json, edge, published.value, { leftOut, limits: suite.limits });
  } finally {
    lock.value.release();
  }
}

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
    if (event.event === 'abandoned') display.say(sayAbandoned(event.variant, event.why));
    if (event.event === 'look' && !args.quiet) display.say(sayLook(event));
    if (args.json) edge.out.write(`${JSON.stringify(event)}\n`);
  };
  let stop: Stop;
  try {
    stop = await measureRun(record, prepared, secrets, clock, edge, observe, () => lookAtGate(record.folder, edge));
  } finally {
    edge.drain.removeEventListener('abort', display.stopping);
    display.close();
  }
  if (!args.quiet && !args.json) edge.err.write(`${progress.line(clock.now())}\n`);
  return stop;
}

/** Decides the gate on what was measured so far. What cannot be read is told, and the run goes on as planned. */
async function lookAtGate(folder: string, edge: Edge): Promise<'go_on' | 'decided'> {
  // Loaded now: most runs need it only when they have measured.
  const { assessRun } = await import('./setup/assess-run.ts');
  const assessed = await assessRun(folder, { quiet: true }, edge);
  if (assessed.ok) return assessed.value.open ? 'go_on' : 'decided';
  printDiagnostics(edge, assessed.diagnostics);
  return 'go_on';
}

function sayAbandoned(variant: string, why: Abandonment): string {
  return visibleLine(
    `left out ${variant}: ${abandonedCause(why)}; ${abandonedRemedy(why)}; no more requests of it are sent`,
  );
}

function sayLook({ look, of, decided }: Extract<RunnerEvent, { event: 'look' }>): string {
  const found = decided ? 'the gate is decided; the rest is not sent' : 'the gate is undecided; the run goes on';
  return `look ${look} of ${of}: ${found}`;
}

function tell(
  { json, quiet }: RunArguments,
  edge: Edge,
  event: { event: 'run'; run: string; folder: string; requests: number },
): void {
  if (json) edge.out.write(`${JSON.stringify(event)}\n`);
  else if (!quiet) edge.err.write(`run ${event.run}: ${plural(event.requests, 'request')} into ${event.folder}\n`);
}

/** An unfit machine is reported before any request is paid for; the report says it again. */
function tellCalibration({ json, quiet }: RunArguments, edge: Edge, calibration: Calibration): void {
  if (json) edge.out.write(`${JSON.stringify({ event: 'calibrated', calibration })}\n`);
  if (json || quiet) return;
  const { tookMs, floorMs } = calibration;
  edge.err.write(`calibrated in ${duration(tookMs)}; noise floor of this machine: ${duration(floorMs)}\n`);
  for (const sentence of unfitness(calibration)) edge.err.write(`${sentence}\n`);
}

function requestsByVariant({ variants, plan }: PreparedSuite): ReadonlyMap<string, number> {
  const totals = new Map(variants.map(({ name }) => [name, 0]));
  for (const { trials } of plan.slices) {
    for (const { variant } of trials) totals.set(variant, (totals.get(variant) ?? 0) + 1);
  }
  return totals;
}

/** The folder of a run that was named, where it is there already; else null. */
function takenFolder(results: string, suite: string, { run, shard }: RunName): string | null {
  if (run === null) return null;
  const folder = join(results, suite, runId(run, shard));
  return existsSync(folder) ? folder : null;
}

function openRecord(results: string, run: Run, name: RunName): Checked<RecordWriter> {
  try {
    return { ok: true, value: createRecord(results, run) };
  } catch (error) {
    const folder = join(results, run.suite.name, run.id);
    // Another process made it meanwhile: making a folder succeeds for one of them only.
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(folder);
    return isTaken ? refuseTaken(folder, name) : refuseFolder(results, error);
  }
}

/** A scheduler may start one job twice: the second one sends nothing. */
function refuseTaken(folder: string, { shard }: RunName): Extract<Checked<never>, { ok: false }> {
  const what = shard === null ? 'this run' : `shard ${shard.index} of ${shard.of} of this run`;
  const cause = `${what} was started before: ${folder} exists`;
  return refused(cause, 'use another --run, or delete that folder');
}

/** Lines of earlier runs that cannot be read are told before a request is paid for. */
async function checkHistory({ suite }: PreparedSuite, results: string): Promise<Checked<unknown>> {
  if (!suite.gate.some(({ rule }) => rule.against === 'history')) return { ok: true, value: null };
  const { readHistory } = await import('../record/read-record.ts');
  return readHistory(join(results, suite.name));
}

/** Null where an interrupt broke it off; the run then ends before its first request. */
async function calibrateFor(results: string, { drain }: Edge): Promise<Checked<Calibration | null>> {
  // Checked now: a wrong suite gets its diagnostics without it.
  const { calibrateMachine } = await import('./setup/calibrate-machine.ts');
  try {
    return { ok: true, value: await calibrateMachine('short', results, drain) };
  } catch (error) {
    return refuseFolder(results, error);
  }
}
