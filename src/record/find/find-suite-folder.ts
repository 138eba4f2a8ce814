import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Checked, fileFaultOf, refused } from '../../kit/diagnostic.ts';
import { isRun, runsIn, shardsIn } from './find-run.ts';

const MOST_NAMED = 5;

/**
 * By its path, or by the name of the suite. A diagnostic where there is none, or where a run or a file is named.
 *
 * @param named as the user names it, relative to `cwd`
 * @param results the folder of all results
 */
export function findSuiteFolder(
  named: string,
  { cwd, results }: { readonly cwd: string; readonly results: string },
): Checked<string> {
  const path = resolve(cwd, named);
  const all = resolve(cwd, results);
  const isName = !/[/\\]/.test(named) && named !== '' && !named.startsWith('.');
  const found = [path, ...(isName ? [join(all, named)] : [])].find(hasRuns);
  if (found !== undefined) return { ok: true, value: found };
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true && isRun(path)) {
    return refused(`${named} is one run`, `name the folder of its suite: ${join(path, '..')}`);
  }
  const suites = suitesIn(all);
  const shown = suites
    .slice(0, MOST_NAMED)
    .map((name) => join(results, name))
    .join(', ');
  const choice = shown === '' ? '' : `: ${shown}`;
  const cause = stat?.isFile() === true ? `${named} is a file` : `there are no runs of ${named}`;
  return refused(cause, `name a suite, or the folder of its runs${choice}`);
}

/** One whose folder cannot be read has none. */
export function suitesIn(results: string): readonly string[] {
  return foldersOf(results).filter((name) => {
    try {
      return hasRuns(join(results, name));
    } catch (error) {
      if (fileFaultOf(error) === null) throw error;
      return false;
    }
  });
}

/** It may hold the history of earlier runs alone. */
function hasRuns(folder: string): boolean {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  return existsSync(join(folder, 'history.jsonl')) || runsIn(folder).length > 0 || shardsIn(folder).length > 0;
}

function foldersOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}
