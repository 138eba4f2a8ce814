import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { accepted, refusal } from '../kit/diagnostic.ts';
import { visibleLine } from '../kit/visible.ts';
import { commandLine } from '../kit/wording.ts';
import { digestOf } from '../plan/build-trial.ts';
import { findBaseline } from '../record/read-record.ts';
import type { Run } from '../record/run.ts';
import { suiteOfRetake } from '../run/declared-files.ts';
import type { MeasureArguments, RunArguments } from './run-arguments.ts';

/*
 * A record may come from somebody else. What is sent or started comes from the suite of the user, which is found or
 * named, from values of `--set` that the user gives, and from the environment; a record is compared with it.
 */

/** Arguments of a run that is resumed: those given now, after the recorded values of `--set` that are used again. */
export async function recordedArguments(
  folder: string,
  run: Pick<Run, 'id' | 'suite' | 'against'>,
  given: Pick<MeasureArguments, 'suite' | 'set' | 'against'>,
  cwd: string,
): Promise<Pick<RunArguments, 'suite' | 'set' | 'against'>> {
  const suite = given.suite ?? ownSuite(folder, run, 'retake run suite.yaml --resume and the folder of the run', cwd);
  const keys = new Set(given.set.map(keyOf));
  const missing = run.suite.overrides.filter((override) => !isRepeated(override) && !keys.has(keyOf(override)));
  if (missing.length > 0) {
    const sets = visibleLine(commandLine(missing.flatMap((override) => ['--set', override])));
    throw refusal(`run ${run.id} began with ${sets}`, 'if you trust that, add it');
  }
  const set = [...run.suite.overrides.filter(isRepeated), ...given.set];
  if (run.against === null || given.against !== undefined) return { suite, set, against: given.against };
  const stored = accepted(await findBaseline(dirname(folder)));
  if (stored !== null && digestOf(stored) === run.against.digest) return { suite, set, against: keptBeside(folder) };
  throw refusal(
    `run ${run.id} sends the variants of a stored baseline again, that of run ${run.against.run}`,
    'name its file with --against',
  );
}

/**
 * Whether a recorded `--set` is used again. Any other may name a server, a variable, a file or a program: the user must
 * repeat it.
 */
export function isRepeated(override: string): boolean {
  const key = keyOf(override);
  // A backslash may hide a dollar. A variant may have the name `fast.const`.
  return (REPEATED.test(key) || CONSTANT.test(key)) && !/[$\\]/.test(override) && !PLACE.test(key);
}

const REPEATED =
  /^(name|description|inputs|seeds|repeats|load|limits|probes|levels|gate|on_inconclusive|reports)(\.|$)/;
const CONSTANT = /^variants\..+\.const\./;
const PLACE = /\.(target|base_url|origins)(\.|$)/;

/** What is before the first `=`. */
export function keyOf(override: string): string {
  return override.split('=', 1)[0] ?? override;
}

/** The user's suite of a run, or a refusal. @param how to name it */
export function ownSuite(folder: string, { id, suite }: Pick<Run, 'id' | 'suite'>, how: string, cwd: string): string {
  const own = findOwnSuite(folder, suite.file, cwd);
  if (own !== null) return own;
  throw refusal(`the suite of run ${id} is not found among your files: ${visibleLine(suite.file)}`, `name it: ${how}`);
}

/**
 * The user's own file at the recorded path: below the working folder, and not in a folder there that also contains the
 * record, since both may have come from somebody else. Else a suite of Retake, which is recorded by its file name.
 */
export function findOwnSuite(folder: string, file: string, cwd: string): string | null {
  const path = relative(cwd, resolve(cwd, file));
  const isBelow = !isAbsolute(path) && firstStep(path) !== '..';
  const isOwn = isBelow && firstStep(path) !== firstStep(relative(cwd, folder)) && existsSync(resolve(cwd, path));
  return isOwn ? path : suiteOfRetake(file);
}

function firstStep(path: string): string | undefined {
  return path.split(/[/\\]/)[0];
}

/** The stored baseline of the suite need not be named. */
export function isKeptBeside(folder: string, against: string, cwd: string): boolean {
  return resolve(cwd, against) === keptBeside(folder);
}

function keptBeside(folder: string): string {
  return join(dirname(folder), 'baseline.json');
}
