import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { accepted, type Refused, refusal } from '../../kit/diagnostic.ts';
import { duration } from '../../kit/wording.ts';
import type { LookKind } from '../../plan/recorded-plan.ts';
import type { Calibration } from '../../record/calibration.ts';
import { runId } from '../../record/codes.ts';
import type { Run } from '../../record/run.ts';
import { createRecord, lockRecord, type RecordWriter } from '../../record/store.ts';
import { startClock } from '../../run/clock.ts';
import { confirmOrigins, confirmRun, ownOf } from '../../workflow/confirm-run.ts';
import { type Edge, type ExitCode, printSentence } from '../../workflow/edge.ts';
import type { OpenRun } from '../../workflow/measure-run.ts';
import { type PlannedSuite, planSuite } from '../../workflow/plan-suite.ts';
import { type ReadyRun, readyRun } from '../../workflow/prepare-run.ts';
import {
  type MeasureArguments,
  type NewRun,
  type RunArguments,
  type RunName,
  readNewRun,
} from '../../workflow/run-arguments.ts';
import { describeRun } from '../../workflow/run-header.ts';
import { whileLocked } from '../../workflow/with-run.ts';
import { printWarnings, withWarnings } from '../display/print.ts';
import { refuseFolder } from '../display/write-file.ts';
import { unfitness } from '../tools/calibrate.ts';
import { checkScorers, measureAndReport } from './open-run.ts';

/** `retake run`: measures a suite, or a shard's share of it, into a new record, examines, analyses and reports it. */
export async function runCommand(args: RunArguments, edge: Edge): Promise<ExitCode> {
  const asked = readNewRun(args);
  const whole = await prepareNewRun(args, asked.looks, edge);
  const { ready, calibration } = await beginNewRun(whole, asked.named, args, edge);
  return measureNewRun(ready, asked, calibration, args, edge);
}

/** Refuses scorers and origins that the user does not allow. */
export async function prepareNewRun(args: RunArguments, looks: LookKind | null, edge: Edge): Promise<PlannedSuite> {
  const whole = withWarnings(edge, await planSuite(args.suite, args, edge, { looks }));
  await checkScorers(whole.suite.scorers, args.allowCommands, edge);
  const adding = { who: 'the stored baseline', remedy: null };
  await confirmOrigins(whole, ownOf(whole), adding, args.allowOrigin, edge);
  return whole;
}

/** Checks, questions and the calibration of this machine: all that comes before the record. */
export async function beginNewRun(
  whole: PlannedSuite,
  named: RunName,
  args: RunArguments,
  edge: Edge,
): Promise<{ readonly ready: ReadyRun; readonly calibration: Calibration | null }> {
  const ready = await readyNewRun(whole, named, args, edge);
  printWarnings(edge, ready.warnings);
  await confirmRun(ready.prepared, args, edge);
  return { ready, calibration: await calibrateNewRun(args, edge) };
}

/** Refuses a run that was begun before. */
export async function readyNewRun(
  whole: PlannedSuite,
  named: RunName,
  { out }: Pick<RunArguments, 'out'>,
  edge: Edge,
): Promise<ReadyRun> {
  const results = resolve(edge.cwd, out);
  const ready = await readyRun(whole, named.shard, join(results, whole.suite.name), edge);
  const taken = takenFolder(results, whole.suite.name, named);
  if (taken !== null) throw takenRefusal(taken, named);
  return ready;
}

/** Null after an interrupt: the run ends before its first request. */
async function calibrateNewRun(args: RunArguments, edge: Edge): Promise<Calibration | null> {
  const results = resolve(edge.cwd, args.out);
  try {
    const calibration = await edge.calibrate('short', results, edge.drain);
    if (calibration !== null) tellCalibration(args, edge, calibration);
    return calibration;
  } catch (error) {
    refuseFolder(results, error);
  }
}

export async function measureNewRun(
  ready: ReadyRun & Pick<OpenRun, 'fleet'>,
  { named, label, vantage }: Pick<NewRun, 'named' | 'label' | 'vantage'>,
  calibration: Calibration | null,
  args: RunArguments,
  edge: Edge,
): Promise<ExitCode> {
  const results = resolve(edge.cwd, args.out);
  const clock = startClock();
  const about = { run: named.run, label, vantage };
  const run = await describeRun(ready.prepared, clock.originAt, about, calibration, edge);
  const record = openRecord(results, run, named);
  // The record contains the values of --set; those of variants may say where requests go, so the user must repeat them.
  const set = args.set.filter((override) => override.startsWith('variants.'));
  const open = { ...ready, record, run, resumption: null, clock };
  return whileLocked(accepted(lockRecord(record.folder, edge.processes)), () =>
    measureAndReport(open, { ...args, set }, edge),
  );
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

function openRecord(results: string, run: Run, name: RunName): RecordWriter {
  try {
    return createRecord(results, run);
  } catch (error) {
    const folder = join(results, run.suite.name, run.id);
    // Another process may have made the folder meanwhile.
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(folder);
    if (isTaken) throw takenRefusal(folder, name);
    refuseFolder(results, error);
  }
}

/** A scheduler may start one job twice: the second one sends nothing. */
function takenRefusal(folder: string, { shard }: RunName): Refused {
  const what = shard === null ? 'this run' : `shard ${shard.index} of ${shard.of} of this run`;
  const cause = `${what} was started before: ${folder} exists`;
  return refusal(cause, 'use another --run, or delete that folder');
}
