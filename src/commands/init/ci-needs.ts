import { isAbsolute, relative } from 'node:path';
import { type Checked, refused } from '../../suite/document/diagnostic.ts';
import { EMBEDDED } from '../../targets/model/target.ts';
import { visibleLine } from '../../text/visible.ts';
import type { Edge } from '../edge.ts';
import type { Prepared } from '../setup/plan/prepare.ts';
import { declaredFiles } from '../setup/run-header.ts';

/** What a CI job needs to know of the suite that it runs. */
export interface CiNeeds {
  /** How commands name the suite: its file relative to the repository, or the name of a suite that comes with Retake. */
  readonly suite: string;
  /** Environment variables with keys, sorted: the secrets of the CI. */
  readonly secrets: readonly string[];
  /** Other environment variables that suite and targets use, and that are set now; sorted. */
  readonly variables: readonly string[];
  /** The files of the repository that the suite is made of, relative to it, sorted. */
  readonly files: readonly string[];
}

/**
 * Refuses a path that would be more than a path in a CI file: a line feed begins a line of YAML even in a comment, and GitHub
 * replaces `${{ ... }}` wherever it stands.
 */
export function checkCiPath(path: string): Checked<string> {
  if (visibleLine(path) === path && !path.includes('${{')) return { ok: true, value: path };
  return refused(`${path} cannot stand in a CI file`, 'use a path without control characters and without ${{');
}

/**
 * What a CI job needs; refused where it would have to name a path that cannot stand in a CI file.
 *
 * @param named the suite, as the user named it
 * @param cwd the folder of the repository
 */
export function ciNeeds(
  { suite, targets, variants }: Prepared,
  named: string,
  { env, cwd }: Pick<Edge, 'env' | 'cwd'>,
): Checked<CiNeeds> {
  const hosted = variants.filter(({ baseUrl }) => baseUrl !== EMBEDDED);
  const used = [suite, ...targets].flatMap(({ environment }) => Object.keys(environment));
  const files = declaredFiles(suite, targets, cwd)
    .map((file) => relative(cwd, file).split('\\').join('/'))
    .filter((file) => !/^(\.\.|node_modules)\//.test(file));
  const name = isAbsolute(named) ? relative(cwd, named).split('\\').join('/') : named;
  for (const path of [name, ...files]) {
    const checked = checkCiPath(path);
    if (!checked.ok) return checked;
  }
  return {
    ok: true,
    value: {
      suite: name,
      secrets: sortedNames(hosted.flatMap(({ target }) => target.secrets)),
      variables: sortedNames(used.filter((each) => (env[each] ?? '') !== '')),
      files: sortedNames(files),
    },
  };
}

function sortedNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
