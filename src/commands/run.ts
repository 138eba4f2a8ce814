import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockRecord } from '../record/lock.ts';
import type { Calibration } from '../record/model/calibration.ts';
import type { Run } from '../record/model/run.ts';
import { runId } from '../record/model/run-name.ts';
import { createRecord, type RecordWriter } from '../record/store.ts';
import { startClock } from '../run/wire/clock.ts';
import { type Checked, refused } from '../suite/document/diagnostic.ts';
import { knowSecrets } from '../targets/secrets/known-secrets.ts';
import { readSecrets } from '../targets/secrets/secrets.ts';
import { duration } from '../text/wording.ts';
import { refuseFolder } from './display/open-folder.ts';
import { printDiagnostics, printWarnings, unfitness } from './display/print.ts';
import { type Edge, type ExitCode, printSentence } from './edge.ts';
import { type MeasureArguments, measureAndReport } from './open-run.ts';
import { checkHistory } from './setup/history/check-history.ts';
import { checkDescriptors } from './setup/machine/descriptor-limit.ts';
import { checkStoredBaseline } from './setup/plan/check-stored-baseline.ts';
import { confirmCost, costEstimate } from './setup/plan/confirm-cost.ts';
import { confirmOrigins, ownOf } from './setup/plan/confirm-origins.ts';
import { planSuite } from './setup/plan/plan-suite.ts';
import { type NewRunArguments, readNewRun } from './setup/plan/run-arguments.ts';
import { type RunName, takeShare } from './setup/plan/take-share.ts';
import { describeRun } from './setup/run-header.ts';

export interface RunArguments extends MeasureArguments, NewRunArguments {
  readonly suite: string;
  readonly out: string;
}

/** `retake run`: measures a suite, or a shard's share of it, into a new record, examines, analyses and reports it. */
export async function runCommand(args: RunArguments, edge: Edge): Promise<ExitCode> {
  const asked = readNewRun(args);
  if (!asked.ok) return printDiagnostics(edge, asked.diagnostics);
  const { named, label, looks } = asked.value;
  const whole = await planSuite(args.suite, args, edge, { looks });
  if (!whole.ok) return printDiagnostics(edge, whole.diagnostics);
  printWarnings(edge, whole.warnings);
  const adding = { who: 'the stored baseline', remedy: null };
  const trusted = await confirmOrigins(whole.value, ownOf(whole.value), adding, args.allowOrigin, edge);
  if (!trusted.ok) return printDiagnostics(edge, trusted.diagnostics);
  const prepared = takeShare(whole.value, named.shard);
  if (!prepared.ok) return printDiagnostics(edge, prepared.diagnostics);
  const secrets = readSecrets(prepared.value.variants, edge.env);
  if (!secrets.ok) return printDiagnostics(edge, secrets.diagnostics);
  edge.redactErrors(knowSecrets(Object.values(secrets.value)).redact);

  const results = resolve(edge.cwd, args.out);
  const history = await checkHistory(join(results, prepared.value.suite.name), prepared.value.suite);
  if (!history.ok) return printDiagnostics(edge, history.diagnostics);
  const descriptors = checkDescriptors(prepared.value.suite.load.concurrency);
  if (!descriptors.ok) return printDiagnostics(edge, descriptors.diagnostics);
  const taken = takenFolder(results, prepared.value.suite.name, named);
  if (taken !== null) return printDiagnostics(edge, refuseTaken(taken, named).diagnostics);
  const stored = await checkStoredBaseline(join(results, prepared.value.suite.name), prepared.value.suite);
  if (!stored.ok) return printDiagnostics(edge, stored.diagnostics);
  const agreed = await confirmCost(
    costEstimate(prepared.value),
    { yes: args.yes, limitUsd: prepared.value.suite.limits.usd },
    edge,
  );
  if (!agreed.ok) return printDiagnostics(edge, agreed.diagnostics);
  const calibrated = await calibrateFor(results, edge);
  if (!calibrated.ok) return printDiagnostics(edge, calibrated.diagnostics);
  if (calibrated.value !== null) tellCalibration(args, edge, calibrated.value);
  const clock = startClock();
  const names = { run: named.run, label };
  const run = await describeRun(prepared.value, clock.originAt, names, calibrated.value, edge);
  const record = openRecord(results, run, named);
  if (!record.ok) return printDiagnostics(edge, record.diagnostics);
  const lock = lockRecord(record.value.folder, edge.processes);
  if (!lock.ok) return printDiagnostics(edge, lock.diagnostics);
  const measured = { record: record.value, run, resumption: null, prepared: prepared.value, secrets: secrets.value };
  // The record contains the values of --set; those of variants may say where requests go, so the user must repeat them.
  const set = args.set.filter((override) => override.startsWith('variants.'));
  return measureAndReport({ ...measured, clock, release: lock.value.release }, { ...args, set }, edge);
}

/** An unfit machine is reported before any request is charged; the report repeats it. */
function tellCalibration({ json, quiet }: MeasureArguments, edge: Edge, calibration: Calibration): void {
  if (json) edge.out.write(`${JSON.stringify({ event: 'calibrated', calibration })}\n`);
  if (json || quiet) return;
  const { tookMs, floorMs } = calibration;
  printSentence(edge.err, `calibrated in ${duration(tookMs)}; noise floor of this machine: ${duration(floorMs)}`);
  for (const sentence of unfitness(calibration)) printSentence(edge.err, sentence);
}

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
    // Another process made the folder meanwhile: only one can.
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

/** Null after an interrupt; the run then ends before its first request. */
async function calibrateFor(results: string, { drain }: Edge): Promise<Checked<Calibration | null>> {
  // Loaded only here: a suite with errors is reported without it.
  const { calibrateMachine } = await import('./setup/machine/calibrate-machine.ts');
  try {
    return { ok: true, value: await calibrateMachine('short', results, drain) };
  } catch (error) {
    return refuseFolder(results, error);
  }
}
