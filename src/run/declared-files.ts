import { existsSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Checked, type Fault, refused } from '../kit/diagnostic.ts';
import { nearest, nearestOf, suggest } from '../kit/nearest.ts';
import { shownPath } from '../suite/named-file.ts';

const SUITES = fileURLToPath(new URL('../../suites', import.meta.url));

/** The path of a suite file (relative to `cwd` or absolute), or of a suite of Retake (`demo`). */
export function findSuite(reference: string, cwd: string): Checked<string> {
  const isPath = /[/\\]|\.(ya?ml|json)$/i.test(reference);
  if (isPath || existsSync(resolve(cwd, reference))) return { ok: true, value: reference };
  const names = suiteNames();
  if (names.includes(reference)) return { ok: true, value: join(SUITES, `${reference}.yaml`) };
  const cause = `"${reference}" is neither a file nor a suite that comes with Retake`;
  return refused(cause, suggest(reference, names));
}

/** Only suites that need no key. */
function suiteNames(): readonly string[] {
  return readdirSync(SUITES)
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('.example.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

export const PRESETS = fileURLToPath(new URL('../../suites/targets', import.meta.url));

type TargetFile =
  | { readonly found: true; readonly path: string }
  | { readonly found: false; readonly looked: readonly string[]; readonly known: readonly string[] };

/**
 * The file of a target. Paths (`.` or `/` first, or .yaml, .yml, .json last) are relative to the file that names them;
 * names are searched in `targets/` beside that file, then in the presets.
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

export function isTargetPath(reference: string): boolean {
  return /^\.|\.(ya?ml|json)$/.test(reference) || isAbsolute(reference);
}

export interface NamedTarget {
  readonly name: string;
  readonly path: string;
}

/** Targets for a suite in the working folder or its `suites/`: its own, then presets. */
export function listTargets(cwd: string): readonly NamedTarget[] {
  const folders = [join(cwd, 'targets'), join(cwd, 'suites', 'targets'), PRESETS];
  const byName = new Map<string, NamedTarget>();
  for (const folder of new Set(folders)) {
    for (const name of presetsIn(folder)) {
      if (!byName.has(name)) byName.set(name, { name, path: join(folder, `${name}.yaml`) });
    }
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function presetsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1, -'.yaml'.length))
    .map((name) => name.split('\\').join('/'))
    .sort();
}

const NEAREST_NAMED = 3;

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
  // The last part of a name says what the endpoint does: suggest others with it.
  const word = reference.split('/').at(-1) ?? '';
  const list = distinct.some((name) => name.includes(word)) ? `retake targets ${word}` : 'retake targets';
  return { cause, remedy: `the nearest are ${near}; "${list}" lists them; for a file of yours write its path` };
}
