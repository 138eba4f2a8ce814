import { isAbsolute, relative } from 'node:path';
import { isLocalUrl } from '../../../access/loopback.ts';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';
import { valueAt } from '../../../suite/document/document.ts';
import { isObject } from '../../../suite/document/json.ts';
import { parseBaseUrl } from '../../../targets/format/base-url.ts';
import { EMBEDDED } from '../../../targets/model/target.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { Edge } from '../../edge.ts';
import type { PlannedSuite } from '../../setup/plan/plan-suite.ts';
import { type Ask, commaSeparated } from '../../setup/plan/questions.ts';
import { declaredFiles } from '../../setup/run-header.ts';

export interface CiNeeds {
  /** For commands: its file relative to the repository, or the name of a suite that comes with Retake. */
  readonly suite: string;
  /** Environment variables with keys, sorted: the secrets of the CI. */
  readonly secrets: readonly string[];
  /** Other environment variables of suite and targets that are set now; sorted. */
  readonly variables: readonly string[];
  /** Files of the suite in the repository, relative to it, sorted. */
  readonly files: readonly string[];
  /** Patterns of the repository's files that belong to the user's server. */
  readonly serverFiles: readonly string[];
  /** The suite's server on the job's machine, which the job must start; null if none. */
  readonly ownServer: string | null;
  /** The deployment that the suite's is compared with; null: none. */
  readonly inUse: InUse | null;
}

interface InUse {
  readonly baseUrl: string;
  readonly suiteName: string;
  readonly variants: readonly string[];
}

export interface DeploymentOptions {
  readonly inUse?: string | undefined;
  readonly serverFiles?: readonly string[] | undefined;
}

export interface Deployments {
  readonly inUse: string | null;
  readonly serverFiles: readonly string[];
}

export async function askDeployments(
  { inUse, serverFiles = [] }: DeploymentOptions,
  ask: Ask,
): Promise<Checked<Deployments>> {
  const used = await ask<string | null>({
    option: '--in-use',
    given: inUse,
    asks: 'Base URL of the deployment in use, to compare that of the suite with; none: with its own earlier runs',
    fallback: '',
    parse: (text) => {
      if (text === '') return { ok: true, value: null };
      const base = parseBaseUrl(text);
      return base.ok ? { ok: true, value: base.baseUrl } : refused(base.cause, base.remedy);
    },
  });
  if (!used.ok) return used;
  const files = await ask<readonly string[]>({
    option: '--server-files',
    given: serverFiles.length === 0 ? undefined : serverFiles.join(','),
    asks: 'Files of the server in this repository, such as server/**, separated by commas; none: it is elsewhere',
    fallback: '',
    parse: (text) => ({ ok: true, value: commaSeparated(text) }),
  });
  return files.ok ? { ok: true, value: { inUse: used.value, serverFiles: files.value } } : files;
}

/** In a CI file a line feed begins a line of YAML even in a comment, and GitHub replaces `${{ ... }}` everywhere. */
export function checkCiPath(path: string): Checked<string> {
  if (visibleLine(path) === path && !path.includes('${{')) return { ok: true, value: path };
  return refused(`${path} cannot stand in a CI file`, 'use a path without control characters and without ${{');
}

/**
 * @param named the suite, as the user named it
 * @param cwd the folder of the repository
 */
export function ciNeeds(
  { suite, targets, variants }: PlannedSuite,
  named: string,
  deployments: Deployments,
  { env, cwd }: Pick<Edge, 'env' | 'cwd'>,
): Checked<CiNeeds> {
  const hosted = variants.filter(({ baseUrl }) => baseUrl !== EMBEDDED);
  const used = [suite, ...targets].flatMap(({ environment }) => Object.keys(environment));
  const files = declaredFiles(suite, targets, cwd)
    .map((file) => relative(cwd, file).split('\\').join('/'))
    .filter((file) => !/^(\.\.|node_modules)\//.test(file));
  const name = isAbsolute(named) ? relative(cwd, named).split('\\').join('/') : named;
  for (const path of [name, ...files, ...deployments.serverFiles]) {
    const checked = checkCiPath(path);
    if (!checked.ok) return checked;
  }
  const inUse = inUseOf(deployments.inUse, suite, variants);
  if (!inUse.ok) return inUse;
  const own = hosted.map(({ baseUrl }) => baseUrl).find(isLocalUrl) ?? null;
  return {
    ok: true,
    value: {
      suite: name,
      serverFiles: deployments.serverFiles.length > 0 || own === null ? deployments.serverFiles : ['**'],
      ownServer: own,
      inUse: inUse.value,
      secrets: sortedNames(hosted.flatMap(({ target }) => target.secrets)),
      variables: sortedNames(used.filter((each) => (env[each] ?? '') !== '')),
      files: sortedNames(files),
    },
  };
}

function inUseOf(
  baseUrl: string | null,
  { name, declared }: PlannedSuite['suite'],
  variants: PlannedSuite['variants'],
): Checked<InUse | null> {
  if (baseUrl === null) return { ok: true, value: null };
  const servers = new Set(variants.map((each) => each.baseUrl));
  const declaredVariants = valueAt(declared, ['variants']);
  const keys = Object.keys(isObject(declaredVariants) ? declaredVariants : {});
  if (servers.size === 1 && !servers.has(EMBEDDED)) {
    return { ok: true, value: { baseUrl, suiteName: name, variants: keys } };
  }
  const cause = servers.has(EMBEDDED) ? 'calls the reference service, which it starts itself' : 'calls several servers';
  return refused(`--in-use: the suite ${name} ${cause}`, 'leave out --in-use, or name a suite of one server');
}

function sortedNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

/** Rules for `plan` and `run`: a suite by itself cannot have `against: baseline` without a stored baseline. */
export const IN_USE_GATE =
  'gate=[{ metric: latency.total, against: baseline, max_increase: 10% }, { metric: error_rate, against: baseline, max_rise: 10% }]';

/** @param run name of the run, for the shell */
export function inUseCommands({ suiteName, variants }: InUse, run: string): readonly string[] {
  const servers = variants.map((name) => `--set "variants.${name}.base_url=$RETAKE_IN_USE"`).join(' ');
  return [
    `npx --no -- retake run "$RETAKE_SUITE" --out results/in-use --run "${run}" --quiet --yes ${servers} --set repeats=1 --set 'gate=[]' --set 'probes=[]' --set 'reports=[json]'`,
    `npx --no -- retake baseline "results/in-use/${suiteName}/${run}" --quiet`,
  ];
}

/** Arguments for `retake plan`; empty without a deployment in use. */
export function againstInUse(inUse: InUse | null): string {
  return inUse === null ? '' : ` --against results/in-use/${inUse.suiteName}/baseline.json --set "$RETAKE_GATE"`;
}

/** Arguments for `retake run`, which allow the origin that the stored baseline adds. */
export function runAgainstInUse(inUse: InUse | null): string {
  const origin = '"$(echo "$RETAKE_IN_USE" | cut -d/ -f1-3)"';
  return inUse === null ? '' : `${againstInUse(inUse)} --allow-origin ${origin}`;
}
