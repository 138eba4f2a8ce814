import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, relative, resolve } from 'node:path';
import { accepted, refusal } from '../kit/diagnostic.ts';
import { commandLine } from '../kit/wording.ts';
import { digestOf } from '../plan/build-trial.ts';
import { findBaseline } from '../record/read-record.ts';
import type { Run } from '../record/run.ts';
import { suiteOfRetake } from '../run/declared-files.ts';
import { type PreparedSuite, prepareSuite } from '../run/prepare-suite.ts';
import { shownPath } from '../suite/named-file.ts';
import { confirmOrigins, ownOf } from './confirm-run.ts';
import type { MeasureArguments, RunArguments } from './run-arguments.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

type RecordedArguments = Pick<RunArguments, 'suite' | 'set' | 'against'>;

interface ResumedArguments extends RecordedArguments {
  /** The suite is the user's: named, or found in the working folder. Else it may have come with the record. */
  readonly isNamed: boolean;
}

/**
 * Arguments of a run that is resumed: those given now, else those of its record; given values of `--set` come after
 * the record's.
 */
export async function recordedArguments(
  folder: string,
  run: Pick<Run, 'id' | 'suite' | 'against'>,
  given: Pick<MeasureArguments, 'suite' | 'set' | 'against'>,
  cwd: string,
): Promise<ResumedArguments> {
  const suite = given.suite ?? findRecorded(folder, run.suite.file, cwd);
  const isNamed = given.suite !== undefined || (suite !== null && isFoundAgain(suite, folder, cwd));
  if (suite === null) {
    const cause = `the suite of run ${run.id} is not found: ${run.suite.file}`;
    throw refusal(cause, 'name it: retake run suite.yaml --resume and the folder of the run');
  }
  const set = [...run.suite.overrides, ...given.set];
  if (run.against === null || given.against !== undefined) {
    return { suite, set, against: given.against, isNamed };
  }
  const stored = accepted(await findBaseline(dirname(folder)));
  if (stored !== null && digestOf(stored) === run.against.digest) {
    return { suite, set, against: keptBeside(folder), isNamed };
  }
  throw refusal(
    `run ${run.id} sends the variants of a stored baseline again, that of run ${run.against.run}`,
    'name its file with --against',
  );
}

/**
 * Whether the recorded path of a suite leads to the user's own file: below the working folder, and not in a folder that
 * also contains the record, because both may have come from somebody else.
 */
export function isFoundAgain(suite: string, folder: string, cwd: string): boolean {
  const path = relative(cwd, resolve(cwd, suite));
  if (suite === suiteOfRetake(basename(suite))) return true;
  return existsSync(resolve(cwd, suite)) && isBelow(path) && firstStep(path) !== firstStep(relative(cwd, folder));
}

/** The stored baseline of the suite need not be named. */
export function isKeptBeside(folder: string, against: string, cwd: string): boolean {
  return resolve(cwd, against) === keptBeside(folder);
}

export type Named = Pick<MeasureArguments, 'set' | 'allowOutside' | 'allowOrigin'>;

/** Asks whether to send what the record adds: values of `--set`, a suite beside it, or a stored baseline. */
export async function confirmRecord(
  { id, suite: { overrides } }: Pick<Run, 'id' | 'suite'>,
  { suite, isNamed }: ResumedArguments,
  given: Named,
  { prepared, userSuite }: { readonly prepared: PreparedSuite; readonly userSuite: PreparedSuite | null },
  edge: Parameters<typeof confirmOrigins>[4],
): Promise<void> {
  const named = userSuite === prepared ? ownOf(prepared) : userSuite;
  const remedy = !isNamed
    ? `name the suite (${commandLine(['retake', 'run', shownPath(resolve(edge.cwd, suite), edge.cwd), '--resume'])} ...)`
    : overrides.length > 0
      ? 'repeat the --set of the run'
      : null;
  return confirmOrigins(prepared, named, { who: `the record of run ${id}`, remedy }, given.allowOrigin, edge);
}

/** The user's suite with only the user's values of `--set`; null if it is not the user's, or that is invalid. */
export async function ownSuite(
  { suite: { overrides } }: Pick<Run, 'suite'>,
  { suite, isNamed }: ResumedArguments,
  { set, allowOutside }: Named,
  prepared: PreparedSuite,
  { env, cwd }: Pick<WorkflowEdge, 'env' | 'cwd'>,
): Promise<PreparedSuite | null> {
  if (!isNamed || overrides.length === 0) return isNamed ? prepared : null;
  const alone = await prepareSuite(suite, { env, cwd, overrides: set, allowOutside });
  return alone.ok ? alone.value : null;
}

function keptBeside(folder: string): string {
  return join(dirname(folder), 'baseline.json');
}

/** A recorded path, relative to the working folder or to the folder that contains `results`; a suite of Retake is recorded by its file name. */
export function findRecorded(folder: string, file: string, cwd: string): string | null {
  // A record may come from others: it must not name files outside.
  if (!isBelow(normalize(file))) return null;
  if (existsSync(resolve(cwd, file))) return file;
  const beside = resolve(folder, '../../..', file);
  return existsSync(beside) ? beside : suiteOfRetake(file);
}

function isBelow(path: string): boolean {
  return !isAbsolute(path) && firstStep(path) !== '..';
}

function firstStep(path: string): string | undefined {
  return path.split(/[/\\]/)[0];
}
