import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Checked, refused } from '../../../kit/diagnostic.ts';
import { isObject, type Json } from '../../../kit/json.ts';
import type { CiNeeds } from './ci-needs.ts';
import { GITHUB_WORKFLOW, githubWorkflow } from './github-workflow.ts';
import { GITLAB_INCLUDE, GITLAB_PIPELINE, gitlabPipeline } from './gitlab-pipeline.ts';
import { refuseExisting } from './new-suite.ts';

const CI_SYSTEMS = ['github', 'gitlab'] as const;
export type CiSystem = (typeof CI_SYSTEMS)[number];

/** An error if it exists, or `cwd` is not the root of its repository. */
export function findCiFile(system: CiSystem, cwd: string): Checked<string> {
  const root = repositoryOf(cwd);
  if (root !== cwd && root !== null) {
    const remedy = `run retake init --ci ${system} there, with the path of the suite`;
    return refused(`a CI file must be in the root of the repository, ${root}`, remedy);
  }
  const paths = system === 'github' ? [GITHUB_WORKFLOW] : [GITLAB_PIPELINE, GITLAB_INCLUDE];
  const free = paths.find((path) => !existsSync(join(cwd, path)));
  return free === undefined ? refuseExisting(paths.at(-1) ?? '') : { ok: true, value: free };
}

export function ciText(system: CiSystem, needs: CiNeeds): string {
  return system === 'github' ? githubWorkflow(needs) : gitlabPipeline(needs);
}

/**
 * What the user must still do before CI can run a suite.
 * @param path the CI file that was written
 */
export function ciSteps(
  system: CiSystem,
  path: string,
  { secrets, variables, files, ownServers, against, inUse }: CiNeeds,
  cwd: string,
): readonly string[] {
  const place = system === 'github' ? 'Settings, Secrets and variables, Actions' : 'Settings, CI/CD, Variables';
  return [
    ...(locksRetake(cwd)
      ? []
      : ['put the package of Retake into the repository: npm install --save-dev ./retake-*.tgz']),
    ...(secrets.length === 0 ? [] : [`add to ${place}: ${secrets.join(', ')}`]),
    ...(variables.length === 0 ? [] : [`add as variables: ${variables.join(', ')}`]),
    ...ownServers.map(
      (url) => `start the server of ${url} in ${path}, where it says so: that address is the machine of the job`,
    ),
    ...(against === null || inUse !== null || existsSync(join(cwd, against))
      ? []
      : [`keep a run as ${against}, for rules with against: baseline: retake baseline RUN; commit it`]),
    ...(path === GITLAB_INCLUDE ? [`add to ${GITLAB_PIPELINE}: include: [{ local: ${GITLAB_INCLUDE} }]`] : []),
    `commit ${[path, ...files, 'package.json', 'package-lock.json'].join(', ')}, and the package of Retake if it is a file`,
  ];
}

function repositoryOf(folder: string): string | null {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, '.git'))) return each;
    if (dirname(each) === each) return null;
  }
}

function locksRetake(folder: string): boolean {
  try {
    const lock: Json = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    const packages = isObject(lock) ? lock.packages : undefined;
    return isObject(packages) && Object.hasOwn(packages, 'node_modules/retake');
  } catch {
    return false;
  }
}
