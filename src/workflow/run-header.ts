import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, availableParallelism, cpus, type as osType, release, totalmem } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../kit/diagnostic.ts';
import type { Json } from '../kit/json.ts';
import { LIBAV_PACKAGE } from '../media/libav.ts';
import { digestOf } from '../plan/build-trial.ts';
import { isMeasured, largestSlice, type Plan } from '../plan/plan.ts';
import { takesSeed } from '../plan/probes.ts';
import type { Calibration } from '../record/calibration.ts';
import { RUN_FORMAT, runId } from '../record/codes.ts';
import type { Machine, Run, RunPlan } from '../record/run.ts';
import { PRESETS, targetDigest } from '../run/declared-files.ts';
import { isClaim } from '../suite/gate.ts';
import { isWithin } from '../suite/named-file.ts';
import type { Suite } from '../suite/suite.ts';
import { retirementsOf } from '../targets/inputs.ts';
import { type Proxies, proxiesOf, proxyFor } from '../targets/origins.ts';
import { LEAST_KEY } from '../targets/secrets.ts';
import type { Target, Variant } from '../targets/target.ts';
import type { PreparedRun, WholeRun } from './prepare-run.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

/**
 * The run.json of a new run.
 * @param createdAt ISO time
 * @param named from `--run`, `--label` and `--vantage`; without a name one is made from the time
 */
export async function describeRun(
  prepared: PreparedRun,
  createdAt: string,
  named: { readonly run: string | null; readonly label: string | null; readonly vantage: string | null },
  calibration: Calibration | null,
  { cwd, env }: Pick<WorkflowEdge, 'cwd' | 'env'>,
): Promise<Run> {
  const { suite, targets, judges } = prepared;
  const { label, vantage } = named;
  const run = named.run ?? newRunName(createdAt);
  const { shard, ...planned } = plannedHeader(prepared, run, env);
  return {
    format: RUN_FORMAT,
    id: runId(run, prepared.shard),
    createdAt,
    ...(label === null ? {} : { label }),
    ...(vantage === null ? {} : { vantage }),
    ...planned,
    machine: describeMachine(),
    calibration,
    git: await describeCheckout(
      dirname(resolve(cwd, suite.file)),
      declaredFiles(suite, [...targets, ...judges.map(({ endpoint }) => endpoint.target)], cwd),
      env,
    ),
    shard,
    merged: null,
  };
}

/** The part of run.json that follows from the suite and the share alone. */
export type PlannedHeader = Omit<
  Run,
  'format' | 'id' | 'createdAt' | 'label' | 'vantage' | 'machine' | 'calibration' | 'git' | 'merged'
>;

/** @param run the name of the whole run */
export function plannedHeader(prepared: PreparedRun, run: string, env: WorkflowEdge['env']): PlannedHeader {
  const { suite, targets, variants, against, leftOut, plan, nonce, shard } = prepared;
  const planned = plannedTrials(variants, plan);
  const used = [suite, ...targets, ...(against === null ? [] : [against.run])].map(({ environment }) => environment);
  const names = used.flatMap(Object.keys);
  const hidden = hideEnvironment(names, env);
  const digested = {
    suite: {
      name: suite.name,
      description: suite.description,
      file: recordedPath(suite.file),
      digest: digestOf(suite.declared),
      overrides: prepared.overrides,
      declared: suite.declared,
      environment: suite.environment,
    },
    targets: targets.map(({ id, file, declared, storedBody, environment }) => {
      const digest = targetDigest({ declared, storedBody });
      return { id, file: recordedPath(file), digest, declared, storedBody, environment };
    }),
    variants: variants.map((variant) => ({
      ...describeVariant(variant, hidden, proxiesOf(env)),
      plannedTrials: planned[variant.name] ?? 0,
      levels: variant.levels,
    })),
    prompts: describePrompts(suite, hidden),
    plan: planOf(prepared, nonce),
  };
  return {
    suite: digested.suite,
    ...(suite.gate.some(isClaim) ? { published: claimDigest(digested) } : {}),
    targets: digested.targets,
    variants: digested.variants,
    against: against?.run ?? null,
    leftOut,
    prompts: digested.prompts,
    plan: digested.plan,
    ...(suite.hold === null ? {} : { hold: suite.hold }),
    limits: suite.limits,
    gate: suite.gate.map(({ rule }) => rule),
    ...(suite.scorers.length === 0 ? {} : { scorers: hidden(suite.scorers) }),
    reports: suite.reports,
    shard:
      shard === null
        ? null
        : {
            run,
            index: shard.index,
            of: shard.of,
            whole: {
              plan: planOf(shard.whole, nonce),
              limits: shard.whole.suite.limits,
              plannedTrials: plannedTrials(variants, shard.whole.plan),
            },
          },
  };
}

function describePrompts({ cases }: Pick<Suite, 'cases'>, hidden: ReturnType<typeof hideEnvironment>): Run['prompts'] {
  return cases.map(({ id, text, tags, kinds, images, mask, inputs, expect }) => ({
    id,
    text: hidden(text),
    tags,
    kinds,
    media: [
      ...images.map((image) => describeInput('image', image)),
      ...(mask === null ? [] : [describeInput('mask', mask)]),
    ],
    inputs: hidden(inputs),
    ...(expect === undefined ? {} : { expect: hidden(expect) }),
  }));
}

function describeInput(
  role: 'image' | 'mask',
  { sha256, mime, bytes: { length: bytes }, width, height }: Suite['cases'][number]['images'][number],
): Run['prompts'][number]['media'][number] {
  return { role, sha256, mime, bytes, width, height };
}

/** As in the run.json of a run of the suite. */
export function describeAsked(suite: Suite, env: WorkflowEdge['env']): Pick<Run, 'prompts'> & Pick<Suite, 'scorers'> {
  const hidden = hideEnvironment(Object.keys(suite.environment), env);
  return { prompts: describePrompts(suite, hidden), scorers: hidden(suite.scorers) };
}

function describeVariant(
  variant: Variant,
  hidden: ReturnType<typeof hideEnvironment>,
  proxies: Proxies,
): Omit<Run['variants'][number], 'plannedTrials' | 'levels'> {
  const { name, twinOf = null, kind, target, baseline, constants, baseUrl, asks, timeoutMs, price } = variant;
  const { claim, omit_means: omitMeans } = target.inputs.seed;
  const proxy = proxyFor(new URL(baseUrl), proxies);
  const retires = hidden(retirementsOf(target.constTypes, constants));
  return {
    name,
    twinOf,
    kind,
    target: target.id,
    baseline,
    constants: hidden(constants),
    baseUrl: withoutQuery(baseUrl),
    ...(proxy === null ? {} : { proxy: proxy.origin }),
    seedClaim: claim,
    sendsSeed: takesSeed(variant),
    seedOmitMeans: omitMeans,
    ...(retires.length === 0 ? {} : { retires }),
    cancelsJobs: cancelsJobs(target),
    ...(asks === undefined ? {} : { asks }),
    timeoutMs,
    price,
  };
}

function planOf({ suite, plan, skippedProbes }: WholeRun, nonce: number): RunPlan {
  const probes = plan.slices.flatMap(({ trials }) => trials).filter(({ phase }) => phase === 'probe');
  return {
    digest: plan.digest,
    requests: plan.requests,
    slices: plan.slices.length,
    largestSlice: largestSlice(plan),
    seeds: suite.seeds,
    repeats: suite.repeats,
    load: suite.load,
    probes: suite.probes.length === 0 ? null : { kinds: suite.probes, trials: probes.length, nonce, skippedProbes },
    looks: plan.looks,
  };
}

function plannedTrials(variants: readonly Variant[], { slices }: Plan): Readonly<Record<string, number>> {
  const planned = new Map(variants.map(({ name }) => [name, 0]));
  for (const { trials } of slices) {
    for (const trial of trials) {
      if (isMeasured(trial)) planned.set(trial.variant, (planned.get(trial.variant) ?? 0) + 1);
    }
  }
  return Object.fromEntries(planned);
}

/** Absolute paths of the files that the user wrote: without presets. */
export function declaredFiles(suite: Suite, targets: readonly Target[], cwd: string): readonly string[] {
  const named = [suite.file, ...targets.flatMap(({ file, storedBodyFile }) => [file, storedBodyFile ?? file])];
  return [...named.map((file) => resolve(cwd, file)), ...suite.files].filter((file) => !isWithin(PRESETS, file));
}

/** `20261120T154500Z-7f3a`: sorts by time; the random part separates runs of one second. */
export function newRunName(createdAt: string): string {
  return `${createdAt.slice(0, 19).replace(/[-:]/g, '')}Z-${randomBytes(2).toString('hex')}`;
}

function hideEnvironment(names: readonly string[], env: WorkflowEdge['env']): <T extends Json>(value: T) => T {
  const values = names.map((name) => [name, env[name] ?? ''] as const).filter(([, value]) => value.length >= LEAST_KEY);
  if (values.length === 0) return (value) => value;
  return (value) =>
    JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
      typeof part === 'string'
        ? values.reduce((text, [name, secret]) => text.replaceAll(secret, () => `\${env.${name}}`), part)
        : part,
    );
}

/** A record is shown to others: the path of a file outside the working folder loses its folders. */
function recordedPath(file: string): string {
  if (!isAbsolute(file)) return file;
  return isWithin(PRESETS, file) ? `targets/${relative(PRESETS, file)}` : basename(file);
}

/** A query may contain a key. */
export function withoutQuery(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || baseUrl.startsWith('embedded:')) return baseUrl;
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** The machine of this process. */
export function describeMachine(): Machine {
  return {
    retake: JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
    node: process.versions.node,
    undici: versionOf('undici'),
    sharp: versionOf('sharp'),
    nodeAv: optionalVersionOf(LIBAV_PACKAGE),
    os: `${osType()} ${release()}`,
    arch: arch(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  };
}

function versionOf(name: string): string {
  const entry = createRequire(import.meta.url).resolve(name);
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name: packageName, version } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (packageName === name) return version;
  }
  throw new Error(`no manifest of ${name} above ${entry}`);
}

/** Null for an optional dependency that is not installed. */
function optionalVersionOf(name: string): string | null {
  try {
    return versionOf(name);
  } catch (error) {
    if (codeOf(error) === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/**
 * What is published before a run with claims: SHA-256 over the suite as it is declared, the order and requests of its
 * plan, its targets, servers and input images: none of these alone holds all.
 */
export function claimDigest({
  suite,
  plan,
  targets,
  variants,
  prompts,
}: Pick<PlannedHeader, 'suite' | 'plan' | 'targets' | 'variants' | 'prompts'>): string {
  return digestOf([
    suite.digest,
    plan.digest,
    targets.map(({ id, digest }) => [id, digest]),
    variants.map(({ name, baseUrl }) => [name, baseUrl]),
    prompts.map(({ id, media }) => [id, media.map(({ sha256 }) => sha256)]),
  ]);
}

function cancelsJobs({ wait }: Target): boolean | null {
  const until = wait?.until;
  return until?.by === 'poll' ? until.cancel.length > 0 : null;
}

/**
 * The commit of a suite's folder, and whether any of these files differs from it; null outside a checkout, or without
 * git. Ignores files outside the checkout.
 *
 * The folder may be a stranger's, and its .git/config may name programs: only git commands that read objects and run no
 * programs are used (no `status`, `diff`, `add`: they obey core.fsmonitor, filters and textconv), and files are hashed
 * here.
 * @param files absolute paths: the suite, its targets, prompt files and input images
 */
export async function describeCheckout(
  folder: string,
  files: readonly string[],
  env: Environment,
): Promise<Run['git']> {
  const git = async (...args: readonly string[]) => {
    const options = { timeout: 5000, maxBuffer: 64 * 1024 * 1024, env: withoutGit(env) };
    return (await promisify(execFile)('git', [...HARMLESS, '-C', folder, ...args], options)).stdout;
  };
  try {
    const commit = (await git('rev-parse', '--verify', 'HEAD')).trim();
    const top = await realpath((await git('rev-parse', '--show-toplevel')).replace(/\r?\n$/, ''));
    const real = await Promise.all(files.map((file) => realpath(file).catch(() => null)));
    const inside = real.filter((file) => file !== null).filter((file) => isWithin(top, file));
    const paths = [...new Set(inside.map((file) => relative(top, file).split(sep).join('/')))];
    if (paths.length === 0) return { commit, dirty: false };
    const listed = await git('--literal-pathspecs', 'ls-tree', '-z', '--full-tree', 'HEAD', '--', ...paths);
    const committed = new Map(listed.split('\0').flatMap(readEntry));
    const same = await Promise.all(
      paths.map(async (path) => {
        const id = committed.get(path);
        if (id === undefined) return false;
        return (await blobIds(`${top}/${path}`, id.length)).includes(id);
      }),
    );
    return { commit, dirty: same.includes(false) };
  } catch {
    return null;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that name programs, emptied in case a later git obeys them. */
const HARMLESS = [
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
  '--no-pager',
  '--no-optional-locks',
];

/**
 * GIT_* could mean another checkout, or name programs. If objects are missing, git fetches them by a transport that the
 * checkout's configuration may name: none is allowed, which overrides it.
 */
function withoutGit(env: Environment): Record<string, string> {
  const others = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || /^GIT_/i.test(name) ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(others), GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' };
}

/** `100644 blob <id>\t<path>`; folders and submodules are skipped. */
function readEntry(line: string): [path: string, id: string][] {
  const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
  return id === undefined || path === undefined ? [] : [[path, id]];
}

/** Ids that git may have given a file: also with CRLF of a checkout on Windows turned back. 64 digits are SHA-256. */
async function blobIds(path: string, length: number): Promise<readonly string[]> {
  const bytes = await readFile(path);
  const algorithm = length === 64 ? 'sha256' : 'sha1';
  const idOf = (content: Uint8Array) =>
    createHash(algorithm).update(`blob ${content.byteLength}\0`).update(content).digest('hex');
  const plain = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return plain.byteLength === bytes.byteLength ? [idOf(bytes)] : [idOf(bytes), idOf(plain)];
}
