import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Checked, fileFaultOf, refused } from '../kit/diagnostic.ts';
import { compareCodeUnits } from '../kit/grouping.ts';
import { isShardName } from './codes.ts';
import { foldersIn, readText } from './own-files.ts';

/** The run that a path leads to. */
export interface FoundRun {
  readonly folder: string;
  /** Number of runs of which it is the latest; null if the path named the run itself. */
  readonly latestOf: number | null;
}

const MOST_NAMED_RUNS = 3;

/**
 * Finds a run by its folder, or the latest of a suite's folder (`results/demo`). A relative path starts at the working
 * folder of the process.
 */
export function findRun(path: string): Checked<FoundRun> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined)
    return refused(`there is no run at ${path}`, "name the folder of a run, or a suite's folder");
  if (!stats.isDirectory()) return refused(`${path} is a file`, nameFolderOf(path));
  if (isRun(path)) return { ok: true, value: { folder: path, latestOf: null } };
  const runs = runsIn(path);
  const latest = runs.at(-1);
  if (latest !== undefined) return { ok: true, value: { folder: join(path, latest), latestOf: runs.length } };
  const [shard] = shardsIn(path);
  if (shard !== undefined) {
    return refused(
      `${path} has only shards of runs, such as ${shard}`,
      'merge them (retake merge), or name one of them',
    );
  }
  const suites = foldersIn(path).filter((name) => runsIn(join(path, name)).length > 0);
  if (suites.length === 0) {
    return refused(`${path} is not a run: it has no run.json`, "name the folder of a run, or a suite's folder");
  }
  const named = suites.slice(0, MOST_NAMED_RUNS).map((name) => join(path, name));
  const others = suites.length - named.length;
  const choice = `${named.join(', ')}${others === 0 ? '' : ` or ${others} others`}`;
  return refused(`${path} is not a run`, `name the folder of a suite in it: ${choice}`);
}

/** Names of the whole runs in a suite's folder, earliest first. */
export function runsIn(folder: string): readonly string[] {
  return foldersIn(folder)
    .filter((name) => !isShardName(name) && isRun(join(folder, name)))
    .map((name) => ({ name, createdAt: createdAt(join(folder, name)) }))
    .sort((a, b) => compareCodeUnits(a.createdAt, b.createdAt) || compareCodeUnits(a.name, b.name))
    .map(({ name }) => name);
}

export function shardsIn(folder: string): readonly string[] {
  return foldersIn(folder).filter((name) => isShardName(name) && isRun(join(folder, name)));
}

/** `createdAt` of run.json; empty, thus first in order, if unreadable. */
export function createdAt(folder: string): string {
  try {
    const read = readText(join(folder, 'run.json'));
    const { createdAt: instant }: { createdAt?: unknown } = JSON.parse((read.ok ? read.value : null) ?? 'null');
    return typeof instant === 'string' ? instant : '';
  } catch {
    return '';
  }
}

function isRun(folder: string): boolean {
  return existsSync(join(folder, 'run.json'));
}

function nameFolderOf(file: string): string {
  const folder = [dirname(file), dirname(dirname(file))].find(isRun);
  return folder === undefined ? 'name the folder of a run' : `name its folder: ${folder}`;
}

const MOST_NAMED_FOLDERS = 5;

/**
 * Finds the folder of a suite by path (relative to `cwd`) or name in `results`. A diagnostic if there is none, or the
 * path is of a run or a file.
 */
export function findSuiteFolder(
  named: string,
  { cwd, results }: { readonly cwd: string; readonly results: string },
): Checked<string> {
  const path = resolve(cwd, named);
  const all = resolve(cwd, results);
  const isName = !/[/\\]/.test(named) && named !== '' && !named.startsWith('.');
  const runsFolder = [path, ...(isName ? [join(all, named)] : [])].find(hasRuns);
  if (runsFolder !== undefined) return { ok: true, value: runsFolder };
  if (isRun(path)) return refused(`${named} is one run`, `name the folder of its suite: ${join(path, '..')}`);
  const suites = suitesIn(all);
  const shown = suites
    .slice(0, MOST_NAMED_FOLDERS)
    .map((name) => join(results, name))
    .join(', ');
  const choice = shown === '' ? '' : `: ${shown}`;
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const cause = isFile ? `${named} is a file` : `there are no runs of ${named}`;
  return refused(cause, `name a suite, or the folder of its runs${choice}`);
}

/** Names of the suites with results. A folder that cannot be read has none. */
export function suitesIn(results: string): readonly string[] {
  return foldersIn(results).filter((name) => {
    try {
      return hasRuns(join(results, name));
    } catch (error) {
      if (fileFaultOf(error) === null) throw error;
      return false;
    }
  });
}

/** A folder may hold only the history of earlier runs. */
function hasRuns(folder: string): boolean {
  return existsSync(join(folder, 'history.jsonl')) || runsIn(folder).length > 0 || shardsIn(folder).length > 0;
}
