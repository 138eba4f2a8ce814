import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { comparesTwins } from '../../../gate/rule-case.ts';
import { refusal } from '../../../kit/diagnostic.ts';
import { valueAt } from '../../../kit/document.ts';
import { isObject, type Json, type JsonObject } from '../../../kit/json.ts';
import { isLocalUrl } from '../../../kit/loopback.ts';
import { visibleLine } from '../../../kit/visible.ts';
import { cellOf, isMeasured } from '../../../plan/plan.ts';
import { clopperPearsonLower } from '../../../statistics/rate-interval.ts';
import { EMBEDDED } from '../../../targets/origins.ts';
import { neededSecrets } from '../../../targets/secrets.ts';
import type { PlannedSuite } from '../../../workflow/plan-suite.ts';
import { declaredFiles } from '../../../workflow/run-header.ts';
import type { writeSuite } from '../../declared/tool-commands.ts';
import { existRefusal } from '../../display/write-file.ts';
import type { Edge } from '../../edge.ts';
import type { ArgumentsOf } from '../../line/command.ts';
import type { Ask } from '../../line/questions.ts';
import { NEVER_OVERWRITES } from './new-suite.ts';
import { QUESTIONS } from './questions.ts';
import { fillTemplate, yamlText } from './template.ts';

const CI_SYSTEMS = ['github', 'gitlab'] as const;
export type CiSystem = (typeof CI_SYSTEMS)[number];

const GITHUB_WORKFLOW = '.github/workflows/retake.yml';

/** The pipeline of GitLab, and a file that an existing one can include; relative to the repository. */
const GITLAB_PIPELINE = '.gitlab-ci.yml';
const GITLAB_INCLUDE = '.gitlab/retake.yml';

/** Refuses an existing file, and a `cwd` that is not the root of its repository. */
export function findCiFile(system: CiSystem, cwd: string): string {
  const root = repositoryOf(cwd);
  if (root !== cwd && root !== null) {
    const remedy = `run retake init --ci ${system} there, with the path of the suite`;
    throw refusal(`a CI file must be in the root of the repository, ${root}`, remedy);
  }
  const paths = system === 'github' ? [GITHUB_WORKFLOW] : [GITLAB_PIPELINE, GITLAB_INCLUDE];
  const free = paths.find((path) => !existsSync(join(cwd, path)));
  if (free === undefined) throw existRefusal([paths.at(-1) ?? ''], NEVER_OVERWRITES);
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
  const suitePatterns = [...files, 'package-lock.json', GITHUB_WORKFLOW].map(escapePattern);
  return fillTemplate('github-workflow.yaml', {
    ...shared,
    suiteValue: yamlText(suite),
    paths: [...suitePatterns, ...(serverFiles ?? [])].map(yamlText),
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

/** For a filter in a workflow of GitHub. */
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
      : [
          'make the package of Retake, in its clone: npm run release:pack',
          'copy that file into the root of the repository, and install it: npm install --save-dev ./retake-*.tgz',
        ]),
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
  for (let parent = folder; ; parent = dirname(parent)) {
    if (existsSync(join(parent, '.git'))) return parent;
    if (dirname(parent) === parent) return null;
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

interface CiNeeds {
  /** For commands: its file relative to the repository, or the name of a suite that comes with Retake. */
  readonly suite: string;
  /** Environment variables with keys, sorted: the secrets of the CI. */
  readonly secrets: readonly string[];
  /** Other environment variables of suite and targets that are set now; sorted. */
  readonly variables: readonly string[];
  /** Files of the suite in the repository, relative to it, sorted. */
  readonly files: readonly string[];
  /** Patterns of the repository's files that belong to the user's server; null: any file may. */
  readonly serverFiles: readonly string[] | null;
  /** Servers on the job's machine, which the job must start: the suite's, and the deployment in use. */
  readonly ownServers: readonly string[];
  /** The deployment that the suite's is compared with; null: none. */
  readonly inUse: InUse | null;
  /** The stored baseline whose variants are sent again, relative to the repository; null: none. */
  readonly against: string | null;
}

interface InUse {
  readonly baseUrl: string;
  readonly suiteName: string;
  readonly variants: readonly string[];
  /** Rules that are added to those of the suite, as a YAML list. */
  readonly gate: string;
  /** Whether the gate of the suite can be decided without the deployment in use. */
  readonly isOwnGateAlone: boolean;
}

interface Deployments {
  readonly inUse: string | null;
  readonly serverFiles: readonly string[];
}

export async function askDeployments(
  { inUse, serverFiles }: Pick<ArgumentsOf<typeof writeSuite>, 'inUse' | 'serverFiles'>,
  ask: Ask,
): Promise<Deployments> {
  return {
    inUse: await ask(QUESTIONS.inUse, inUse),
    serverFiles: await ask(QUESTIONS.serverFiles, serverFiles.length === 0 ? undefined : serverFiles.join(',')),
  };
}

/** In a CI file a line feed begins a line of YAML even in a comment, and GitHub replaces `${{ ... }}` everywhere. */
export function checkCiPath(path: string): void {
  if (visibleLine(path) === path && !path.includes('${{')) return;
  throw refusal(`${path} cannot stand in a CI file`, 'use a path without control characters and without ${{');
}

/**
 * @param named the suite, as the user named it
 * @param cwd the folder of the repository
 */
export function ciNeeds(
  planned: PlannedSuite,
  named: string,
  deployments: Deployments,
  { env, cwd }: Pick<Edge, 'env' | 'cwd'>,
): CiNeeds {
  const { suite, targets, variants } = planned;
  const hosted = variants.filter(({ baseUrl }) => baseUrl !== EMBEDDED);
  const used = [suite, ...targets].flatMap(({ environment }) => Object.keys(environment));
  const files = declaredFiles(suite, targets, cwd)
    .map((file) => relative(cwd, file).split('\\').join('/'))
    .filter((file) => !/^(\.\.|node_modules)\//.test(file));
  const name = isAbsolute(named) ? relative(cwd, named).split('\\').join('/') : named;
  for (const path of [name, ...files, ...deployments.serverFiles]) checkCiPath(path);
  const inUse = inUseOf(deployments.inUse, planned);
  const isOwn = hosted.some(({ baseUrl }) => isLocalUrl(baseUrl));
  const servers = [...hosted.map(({ baseUrl }) => baseUrl), ...(inUse === null ? [] : [inUse.baseUrl])];
  const isAgainst = inUse !== null || suite.gate.some(({ rule }) => comparesTwins(rule));
  return {
    suite: name,
    serverFiles: deployments.serverFiles.length === 0 && isOwn ? null : deployments.serverFiles,
    ownServers: [...new Set(servers.filter(isLocalUrl))],
    inUse,
    against: isAgainst ? `results/${suite.name}/baseline.json` : null,
    secrets: sortedNames(neededSecrets(hosted)),
    variables: sortedNames(used.filter((variable) => (env[variable] ?? '') !== '')),
    files: sortedNames(files),
  };
}

function inUseOf(baseUrl: string | null, planned: PlannedSuite): InUse | null {
  if (baseUrl === null) return null;
  const { suite, variants } = planned;
  const { name, declared, gate } = suite;
  const servers = new Set(variants.map((variant) => variant.baseUrl));
  const declaredVariants = valueAt(declared, ['variants']);
  const keys = Object.keys(isObject(declaredVariants) ? declaredVariants : {});
  if (servers.size === 1 && !servers.has(EMBEDDED)) {
    const isOwnGateAlone = !gate.some(({ rule }) => comparesTwins(rule));
    return { baseUrl, suiteName: name, variants: keys, gate: inUseGate(planned), isOwnGateAlone };
  }
  const cause = servers.has(EMBEDDED) ? 'calls the reference service, which it starts itself' : 'calls several servers';
  throw refusal(`--in-use: the suite ${name} ${cause}`, 'leave out --in-use, or name a suite of one server');
}

function sortedNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

/**
 * Rules about the deployment in use, as far as the suite has none of its metric: latency and errors, and where a seed
 * says something, whether outputs are still those of the deployment in use: each of them, and how many at least.
 */
function inUseGate({ suite, variants, plan }: PlannedSuite): string {
  const seeded = variants.filter(({ target }) => target.inputs.seed.claim !== 'none').map(({ name }) => name);
  const only =
    seeded.length === variants.length ? '' : `, variants: [${seeded.map((name) => yamlText(name)).join(', ')}]`;
  const trials = plan.slices.flatMap((slice) => slice.trials.filter(isMeasured));
  const cells = seeded.map((name) => new Set(trials.filter(({ variant }) => variant === name).map(cellOf)).size);
  // The most that so few cells can pass, one-sided 95 %. Below 5 cells no share can both pass and fail.
  const fewest = Math.min(...cells);
  const least = Math.min(75, Math.floor(100 * clopperPearsonLower(fewest, fewest, 0.95)));
  const rules = {
    'latency.total': 'max_increase: 10%',
    error_rate: 'max_rise: 10%',
    ...(seeded.length > 0 ? { 'stability.similar': `none: change${only}` } : {}),
    ...(seeded.length > 0 && fewest >= 5 ? { likeness: `statistic: similar, min: ${least}%${only}` } : {}),
  };
  const isOwn = (metric: string) =>
    suite.gate.some(({ rule }) => rule.against === 'baseline' && rule.metric.split('.')[0] === metric.split('.')[0]);
  const added = Object.entries(rules).filter(([metric]) => !isOwn(metric));
  return `[${added.map(([metric, bound]) => `{ metric: ${metric}, against: baseline, ${bound} }`).join(', ')}]`;
}
