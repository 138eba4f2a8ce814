import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  accepted,
  type Checked,
  checked,
  codeOf,
  type Diagnostic,
  type Refused,
  refusal,
  refuseFile,
  refuseFolder,
} from '../kit/diagnostic.ts';
import type { Calibration } from '../record/calibration.ts';
import { runId } from '../record/codes.ts';
import type { Stop } from '../record/journal.ts';
import type { Run } from '../record/run.ts';
import { createRecord, lockRecord, type RecordWriter } from '../record/store.ts';
import { startClock } from '../run/clock.ts';
import type { RunnerEvent } from '../run/events.ts';
import { isLeft, slicesToSend } from '../run/resumption.ts';
import type { AssessedRun } from './assess-run.ts';
import type { ClaimWatch } from './claim-watch.ts';
import { checkAllowed, confirmRequests, confirmRun } from './confirm-run.ts';
import { measureRun, type OpenRun } from './measure-run.ts';
import { type PlannedSuite, planSuite } from './plan-suite.ts';
import { type ReadyRun, readyRun } from './prepare-run.ts';
import { recordedArguments } from './recorded-arguments.ts';
import { type ResumedRun, readEarlierRun, resumeRun } from './resume-run.ts';
import type { MeasureArguments, NewRun, RunArguments, RunName } from './run-arguments.ts';
import { describeRun } from './run-header.ts';
import { confirmAdditions } from './stored-additions.ts';
import { whileLocked } from './with-run.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

/*
 * A run from the suite to the exit code. `retake run` and `retake work` begin one (`runSuite`), `retake run --resume`
 * continues one (`resumeSuite`); from the open record on, all are one (`measureAndReport`).
 */

/** Shows a run to whoever began it. `End` tells the process how it ended. */
export interface RunDisplay<End> {
  /** Whether it does not show how far examining is. */
  readonly isQuiet: boolean;
  /** Shows the warnings. Throws what was refused. */
  readonly accept: <T>(result: Checked<T>) => T;
  readonly calibrated: (calibration: Calibration) => void;
  readonly resumed: (earlier: Run, prepared: ReadyRun['prepared'], resumed: ResumedRun) => void;
  readonly begin: (open: OpenRun) => OpenRunDisplay<End>;
}

/** Shows a run whose record is open, and writes its reports. */
export interface OpenRunDisplay<End> {
  /** Shows how far measuring is, until it has ended. */
  readonly during: (measure: (observe: (event: RunnerEvent) => void) => Promise<Stop>) => Promise<Stop>;
  /** A look at the gate was not possible. */
  readonly undecided: (diagnostics: readonly Diagnostic[]) => void;
  /** Asks the scorers of the suite about the outputs. */
  readonly score: () => Promise<void>;
  /** Writes reports and verdict; gives what tells how the run ended. */
  readonly write: (assessed: AssessedRun) => Promise<(stop: Stop) => End>;
  /** Tells how a run ended whose reports could not be written. */
  readonly unwritten: (stop: Stop, diagnostics: readonly Diagnostic[]) => End;
  readonly close: () => void;
}

/** What differs from `retake run`. */
interface Differences<End> {
  /** Refuses a suite that cannot be measured so. */
  readonly admit?: (whole: PlannedSuite) => void;
  /** Waits for what is to be measured, and measures it; by default all that was asked for, at once. */
  readonly join?: (whole: PlannedSuite, calibration: Calibration | null, measure: MeasureReady<End>) => Promise<End>;
}

export type MeasureReady<End> = (
  ready: ReadyRun & Pick<OpenRun, 'fleet'>,
  named: RunName,
  edge: WorkflowEdge,
) => Promise<End>;

/** Measures a suite, or a share of it, into a new record, then examines, scores, decides and reports it. */
export async function runSuite<End>(
  args: RunArguments,
  { named, label, vantage, looks }: NewRun,
  display: RunDisplay<End>,
  edge: WorkflowEdge,
  { admit = () => {}, join: joinOthers }: Differences<End> = {},
): Promise<End> {
  const whole = display.accept(await planSuite(args.suite, args, edge, { looks }));
  checkAllowed(whole.suite.scorers, args.allowCommands);
  confirmAdditions(whole, args.allowOrigin, edge);
  admit(whole);
  const results = resolve(edge.cwd, args.out);
  const ready = display.accept(await readyNewRun(whole, named, results, edge));
  await confirmRequests(whole, args, edge);
  await confirmRun(ready.prepared, args, edge);
  // Null after an interrupt: the run ends before its first request.
  const calibration = await edge.calibrate(edge.drain);
  if (calibration !== null) display.calibrated(calibration);
  const measure: MeasureReady<End> = async (joined, name, ownEdge) => {
    const clock = startClock();
    const about = { run: name.run, label, vantage };
    const run = await describeRun(joined.prepared, clock.originAt, about, calibration, edge);
    const record = openRecord(results, run, name);
    const open = { ...joined, record, run, resumption: null, clock };
    const lock = accepted(lockRecord(record.folder, edge.processes));
    return whileLocked(lock, () => measureAndReport(open, display, ownEdge));
  };
  return joinOthers === undefined ? measure(ready, named, edge) : joinOthers(whole, calibration, measure);
}

/**
 * Continues a run that ended early; what has an answer is not sent again.
 * @param folder of its record, which is locked
 */
export async function resumeSuite<End>(
  folder: string,
  args: MeasureArguments & { readonly resendUnknown: boolean },
  display: RunDisplay<End>,
  edge: WorkflowEdge,
): Promise<End> {
  const run = await readEarlierRun(folder);
  const begun = await recordedArguments(folder, run, args, edge.cwd);
  const { looks, probes } = run.plan;
  const choices = { looks: looks === null || looks.kind === 'claim' ? null : looks.kind, nonce: probes?.nonce };
  const again = { ...begun, allowOutside: args.allowOutside };
  const whole = display.accept(await planSuite(begun.suite, again, edge, choices));
  checkAllowed(whole.suite.scorers, args.allowCommands);
  confirmAdditions(whole, args.allowOrigin, edge);
  const ready = display.accept(await readyRun(whole, run.shard, dirname(folder), edge));
  const { prepared } = ready;
  const resumed = await resumeRun(folder, run, prepared, args, edge).catch((error: unknown) =>
    refuseFolder(folder, error),
  );
  const { record, resumption } = resumed;
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
  display.resumed(run, prepared, resumed);
  return measureAndReport({ ...ready, record, run, resumption, clock: startClock() }, display, edge);
}

/** From the first request to the exit code. */
async function measureAndReport<End>(open: OpenRun, display: RunDisplay<End>, edge: WorkflowEdge): Promise<End> {
  const { run, fleet } = open;
  const { folder } = open.record;
  const shown = display.begin(open);
  try {
    const claims = run.plan.looks?.kind === 'claim' ? await followClaims(open) : null;
    const look = async (at: number) => claims?.look(at) ?? lookAtGate(folder, shown, edge);
    const stop = await shown.during((observe) => {
      const observeAll = (event: RunnerEvent) => {
        claims?.observe(event);
        observe(event);
      };
      return measureRun(open, edge, observeAll, look);
    });
    await fleet?.measured(stop);
    // The outputs of a shard are scored once it is merged.
    if (run.shard === null) await shown.score();
    const reported = await checked(async () => {
      // Loaded only here: reports take no memory while measuring, and no time for a suite with errors.
      const { assessRun, collectSooner } = await import('./assess-run.ts');
      collectSooner();
      const assessed = await assessRun(folder, { quiet: display.isQuiet }, edge);
      return { line: assessed.line, tell: await shown.write(assessed) };
    }).catch(refuseFile);
    if (!reported.ok) return shown.unwritten(stop, reported.diagnostics);
    const { line, tell } = reported.value;
    if (run.shard === null) (await import('./history.ts')).keepHistory(folder, line, edge);
    return tell(stop);
  } finally {
    shown.close();
  }
}

/** Where claims alone end a run; loaded only there. */
async function followClaims({ run, record, resumption }: OpenRun): Promise<ClaimWatch> {
  const { watchClaims } = await import('./claim-watch.ts');
  if (resumption === null) return watchClaims(run, []);
  const { readRecord } = await import('../record/read-record.ts');
  return watchClaims(run, accepted(await readRecord(record.folder)).samples);
}

/** Decides the gate between two parts of a plan. If the record cannot be read, shows why, and the run goes on. */
async function lookAtGate(
  folder: string,
  { undecided }: Pick<OpenRunDisplay<unknown>, 'undecided'>,
  edge: WorkflowEdge,
): Promise<'go_on' | 'decided'> {
  // Loaded only here: most runs need it after measuring.
  const { assessRun } = await import('./assess-run.ts');
  const assessed = await checked(() => assessRun(folder, { quiet: true }, edge));
  if (assessed.ok) return assessed.value.open ? 'go_on' : 'decided';
  undecided(assessed.diagnostics);
  return 'go_on';
}

/**
 * Refuses a run that was begun before.
 * @param results its folder: absolute
 */
export async function readyNewRun(
  whole: PlannedSuite,
  named: RunName,
  results: string,
  edge: Parameters<typeof readyRun>[3],
): Promise<Checked<ReadyRun>> {
  const suiteFolder = join(results, whole.suite.name);
  const ready = await readyRun(whole, named.shard, suiteFolder, edge);
  const folder = named.run === null ? null : join(suiteFolder, runId(named.run, named.shard));
  if (ready.ok && folder !== null && existsSync(folder)) throw takenRefusal(folder, named);
  return ready;
}

function openRecord(results: string, run: Run, named: RunName): RecordWriter {
  try {
    return createRecord(results, run);
  } catch (error) {
    const folder = join(results, run.suite.name, run.id);
    // Another process may have made the folder meanwhile.
    if (codeOf(error) === 'EEXIST' && existsSync(folder)) throw takenRefusal(folder, named);
    refuseFolder(results, error);
  }
}

/** A scheduler may start one job twice: the second one sends nothing. */
function takenRefusal(folder: string, { shard }: RunName): Refused {
  const what = shard === null ? 'this run' : `shard ${shard.index} of ${shard.of} of this run`;
  const cause = `${what} was started before: ${folder} exists`;
  return refusal(cause, 'use another --run, or delete that folder');
}
