import { dirname, resolve } from 'node:path';
import { type Checked, diagnoseFrom, type Fault, type Source } from '../kit/diagnostic.ts';
import { type Document, diagnoseAt } from '../kit/document.ts';
import { digestOf } from '../plan/build-trial.ts';
import { type LoadOptions, loadDocument } from '../suite/load-suite.ts';
import { findOutside, shownPath } from '../suite/named-file.ts';
import { parseTarget } from '../targets/parse-target.ts';
import { namedBodyFile } from '../targets/stored-body.ts';
import type { Target } from '../targets/target.ts';
import { describeMissing, findTarget, PRESETS } from './declared-files.ts';

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
