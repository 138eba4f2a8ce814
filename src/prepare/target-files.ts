import { existsSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fault } from '../suite/document/diagnostic.ts';
import { nearest, nearestOf } from '../suite/document/nearest.ts';
import { shownPath } from '../suite/load.ts';

/** The presets that come with Retake. */
export const PRESETS = fileURLToPath(new URL('../../suites/targets', import.meta.url));

/** A reference to a target, as it may be found: its file, or the names that were meant perhaps. */
export type TargetFile =
  | { readonly found: true; readonly path: string }
  | { readonly found: false; readonly looked: readonly string[]; readonly known: readonly string[] };

/**
 * Where a target reference leads. A path (it begins with `.` or `/`, or ends in .yaml, .yml or .json) is relative to
 * the file that names it; `provider/endpoint` is looked up in `targets/` beside that file, then among the presets.
 */
export function findTarget(reference: string, namedIn: string): TargetFile {
  const folder = dirname(namedIn);
  const isPath = isTargetPath(reference);
  const looked = isPath
    ? [resolve(folder, reference)]
    : [join(folder, 'targets', `${reference}.yaml`), join(PRESETS, `${reference}.yaml`)];
  const path = looked.find((candidate) => existsSync(candidate));
  if (path !== undefined) return { found: true, path };
  return { found: false, looked, known: isPath ? [] : [...presetsIn(join(folder, 'targets')), ...presetsIn(PRESETS)] };
}

/** Whether a reference is the path of a file, not the name of a target. */
export function isTargetPath(reference: string): boolean {
  return /^\.|\.(ya?ml|json)$/.test(reference) || isAbsolute(reference);
}

/** A target file under the name that a suite has for it. */
export interface NamedTarget {
  /** `provider/endpoint`. */
  readonly name: string;
  readonly path: string;
}

/** The targets that a suite in the working folder, or in `suites/` below it, can name: its own, then the presets. */
export function listTargets(cwd: string): readonly NamedTarget[] {
  const folders = [join(cwd, 'targets'), join(cwd, 'suites', 'targets'), PRESETS];
  const found = new Map<string, NamedTarget>();
  for (const folder of new Set(folders)) {
    for (const name of presetsIn(folder)) {
      if (!found.has(name)) found.set(name, { name, path: join(folder, `${name}.yaml`) });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The `provider/endpoint` names of the target files in a folder. */
function presetsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1, -'.yaml'.length))
    .map((name) => name.split('\\').join('/'))
    .sort();
}

const NEAREST_NAMED = 3;

/** What is said where a reference leads to no file. */
export function describeMissing(
  reference: string,
  { looked, known }: Extract<TargetFile, { found: false }>,
  cwd: string,
): Fault {
  const places = looked.map((path) => shownPath(path, cwd)).join(' or ');
  const cause = `unknown target "${reference}" (no ${places})`;
  const meant = nearest(reference, known);
  if (meant !== null) return { cause, remedy: `did you mean "${meant}"?` };
  if (known.length === 0) return { cause, remedy: 'name an existing target file' };
  const distinct = [...new Set(known)];
  const near = nearestOf(reference, distinct, NEAREST_NAMED).join(', ');
  // The last part of a name says what the endpoint does: others of that name are what was meant, where there are any.
  const word = reference.split('/').at(-1) ?? '';
  const list = distinct.some((name) => name.includes(word)) ? `retake targets ${word}` : 'retake targets';
  return { cause, remedy: `the nearest are ${near}; "${list}" lists them; for a file of yours write its path` };
}
