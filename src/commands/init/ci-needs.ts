import { isAbsolute, relative } from 'node:path';
import { EMBEDDED } from '../../targets/model/target.ts';
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
 * @param named the suite, as the user named it
 * @param cwd the folder of the repository
 */
export function ciNeeds(
  { suite, targets, variants }: Prepared,
  named: string,
  { env, cwd }: Pick<Edge, 'env' | 'cwd'>,
): CiNeeds {
  const hosted = variants.filter(({ baseUrl }) => baseUrl !== EMBEDDED);
  const used = [suite, ...targets].flatMap(({ environment }) => Object.keys(environment));
  const files = declaredFiles(suite, targets, cwd)
    .map((file) => relative(cwd, file).split('\\').join('/'))
    .filter((file) => !/^(\.\.|node_modules)\//.test(file));
  return {
    suite: isAbsolute(named) ? relative(cwd, named).split('\\').join('/') : named,
    secrets: sortedNames(hosted.flatMap(({ target }) => target.secrets)),
    variables: sortedNames(used.filter((name) => (env[name] ?? '') !== '')),
    files: sortedNames(files),
  };
}

function sortedNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
