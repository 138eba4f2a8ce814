import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refusal } from '../../../kit/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '../../../kit/json.ts';
import type { CiNeeds, InUse } from './ci-needs.ts';
import { existRefusal } from './new-suite.ts';
import { fillTemplate } from './template.ts';
import { yamlText } from './yaml-text.ts';

const CI_SYSTEMS = ['github', 'gitlab'] as const;
export type CiSystem = (typeof CI_SYSTEMS)[number];

const GITHUB_WORKFLOW = '.github/workflows/retake.yml';

/** Where GitLab looks for a pipeline, and a file that an existing one can include; relative to the repository. */
const GITLAB_PIPELINE = '.gitlab-ci.yml';
const GITLAB_INCLUDE = '.gitlab/retake.yml';

/** An error if it exists, or `cwd` is not the root of its repository. */
export function findCiFile(system: CiSystem, cwd: string): string {
  const root = repositoryOf(cwd);
  if (root !== cwd && root !== null) {
    const remedy = `run retake init --ci ${system} there, with the path of the suite`;
    throw refusal(`a CI file must be in the root of the repository, ${root}`, remedy);
  }
  const paths = system === 'github' ? [GITHUB_WORKFLOW] : [GITLAB_PIPELINE, GITLAB_INCLUDE];
  const free = paths.find((path) => !existsSync(join(cwd, path)));
  if (free === undefined) throw existRefusal([paths.at(-1) ?? '']);
  return free;
}

/** A job that measures a suite every night, for changes under review, and by hand. */
export function ciText(system: CiSystem, needs: CiNeeds): string {
  const { suite, secrets, variables, files, serverFiles, ownServers, inUse, against } = needs;
  const shared = {
    suite,
    inUse: inUse === null ? null : inUseValues(inUse),
    against,
    server: ownServers.length === 0 ? null : serverValues(ownServers),
    changes: serverFiles !== null,
    hasServerFiles: (serverFiles ?? []).length > 0,
  };
  if (system === 'gitlab') {
    // GitLab replaces $NAME in a value unless `expand` is false.
    const suiteValue = suite.includes('$') ? `{ value: ${yamlText(suite)}, expand: false }` : yamlText(suite);
    const paths = [...files, 'package-lock.json', ...(serverFiles ?? [])].map(yamlText);
    return fillTemplate('gitlab-ci.yaml', {
      ...shared,
      suiteValue,
      paths,
      settings: [...secrets, ...variables].join(', '),
    });
  }
  const keys = `${secrets.length === 1 ? 'the secret' : 'the secrets'} ${secrets.join(', ')}`;
  const own = [...files, 'package-lock.json', GITHUB_WORKFLOW].map(escapePattern);
  return fillTemplate('github-workflow.yaml', {
    ...shared,
    suiteValue: yamlText(suite),
    paths: [...own, ...(serverFiles ?? [])].map(yamlText),
    secrets,
    keys: secrets.length === 0 ? null : keys,
    variables,
  });
}

function inUseValues({ baseUrl, gate, suiteName, variants, isOwnGateAlone }: InUse): JsonObject {
  const servers = variants.map((name) => `--set "variants.${name}.base_url=$RETAKE_IN_USE"`).join(' ');
  return { baseUrl: yamlText(baseUrl), gate: yamlText(gate), suiteName, servers, isOwnGateAlone };
}

function serverValues(urls: readonly string[]): JsonObject {
  const [servers, others] = urls.length === 1 ? ['server', 'one'] : ['servers', 'those'];
  return { named: urls.join(' and '), servers, others, urls };
}

/** Of a filter in a workflow of GitHub. */
function escapePattern(path: string): string {
  return path.replace(/[*?+[\]!\\]/g, '\\$&');
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
