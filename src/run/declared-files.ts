import { existsSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Checked, diagnoseFrom, type Fault, refused, type Source } from '../kit/diagnostic.ts';
import { type Document, diagnoseAt } from '../kit/document.ts';
import { nearest, nearestOf, suggest } from '../kit/nearest.ts';
import { digestOf } from '../plan/build-trial.ts';
import { type LoadOptions, loadDocument } from '../suite/load-suite.ts';
import { findOutside, shownPath } from '../suite/named-file.ts';
import { parseTarget } from '../targets/parse-target.ts';
import { namedBodyFile } from '../targets/stored-body.ts';
import type { Target } from '../targets/target.ts';

const SUITES = fileURLToPath(new URL('../../suites', import.meta.url));

/** The path of a suite file (relative to `cwd` or absolute), or of a suite of Retake (`demo`). */
export function findSuite(reference: string, cwd: string): Checked<string> {
  const isPath = /[/\\]|\.(ya?ml|json)$/i.test(reference);
  if (isPath || existsSync(resolve(cwd, reference))) return { ok: true, value: reference };
  const own = suiteOfRetake(`${reference}.yaml`);
  if (own !== null) return { ok: true, value: own };
  const cause = `"${reference}" is neither a file nor a suite that comes with Retake`;
  return refused(cause, suggest(reference, suiteNames()));
}

/** The path of a suite that comes with Retake; null where none has this file name. */
export function suiteOfRetake(file: string): string | null {
  return suiteNames().some((name) => file === `${name}.yaml`) ? join(SUITES, file) : null;
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

interface TargetOptions extends Pick<LoadOptions, 'env' | 'cwd' | 'allowOutside'> {
  /** Absolute; a stored body must be below it, or below the presets. By default the folder of the target file. */
  readonly suiteFolder?: string | undefined;
}

export type ReferenceOptions = Pick<LoadOptions, 'env' | 'cwd' | 'allowOutside'>;

/** The target that a suite names. `suiteFile` is absolute; `source` is of the reference. */
export async function loadReferenced(
  reference: string,
  suiteFile: string,
  source: Source,
  { env, cwd, allowOutside }: ReferenceOptions,
): Promise<Checked<Target>> {
  const file = findTarget(reference, suiteFile);
  if (!file.found) return { ok: false, diagnostics: [diagnoseFrom(source, describeMissing(reference, file, cwd))] };
  const suiteFolder = dirname(suiteFile);
  const fault = allowOutside === true ? null : await refuseOutside(file.path, suiteFolder, 'the suite', cwd);
  if (fault !== null) return { ok: false, diagnostics: [diagnoseFrom(source, fault)] };
  return loadTargetFile(file.path, { env, cwd, allowOutside, suiteFolder });
}

export async function loadTargetFile(path: string, options: TargetOptions): Promise<Checked<Target>> {
  const document = await loadDocument(path, options.cwd);
  return document.ok ? loadTarget(document.value, options) : document;
}

export async function loadTarget(
  document: Document,
  { env, cwd, allowOutside = false, suiteFolder }: TargetOptions,
): Promise<Checked<Target>> {
  const named = namedBodyFile(document, env);
  if (named === null) return parseTarget(document, env);
  const folder = resolve(cwd, dirname(document.file));
  const path = resolve(folder, named);
  const owner = suiteFolder === undefined ? 'the target' : 'the suite';
  const fault = allowOutside ? null : await refuseOutside(path, suiteFolder ?? folder, owner, cwd);
  if (fault !== null) return { ok: false, diagnostics: [diagnoseAt(document, ['submit', 'body_file'], fault)] };
  const stored = await loadDocument(path, cwd);
  if (stored.ok) return parseTarget(document, env, stored.value);
  return {
    ok: false,
    // Errors of the file as a whole are reported where it is named.
    diagnostics: stored.diagnostics.map((diagnostic) =>
      diagnostic.place === null ? diagnoseAt(document, ['submit', 'body_file'], diagnostic) : diagnostic,
    ),
  };
}

/**
 * Why a target, or a file that it names, may not be read; null: it may. It must be in `folder` or come with Retake.
 * `owner` names the folder in messages (`the suite`); paths are absolute.
 */
export async function refuseOutside(path: string, folder: string, owner: string, cwd: string): Promise<Fault | null> {
  const fault = await findOutside(path, [folder, PRESETS], owner);
  return fault === null ? null : { cause: `cannot read ${shownPath(path, cwd)}: ${fault.cause}`, remedy: fault.remedy };
}

export function targetDigest({ declared, storedBody }: Pick<Target, 'declared' | 'storedBody'>): string {
  return digestOf(storedBody === null ? declared : [declared, storedBody]);
}
