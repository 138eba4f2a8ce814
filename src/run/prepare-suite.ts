import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import {
  type Checked,
  type CheckedInPart,
  type Diagnostic,
  distinctDiagnostics,
  type Fault,
  refused,
} from '../kit/diagnostic.ts';
import type { Json } from '../kit/json.ts';
import { loadLibav } from '../media/libav.ts';
import { expandPlan } from '../plan/expand.ts';
import { plannedArrivals } from '../plan/load-slices.ts';
import { findLooksFault, type LooksFault } from '../plan/looks.ts';
import type { Plan } from '../plan/plan.ts';
import { findSkippedProbes, LOAD_TAKES } from '../plan/probes.ts';
import type { AskedLooks, LookKind, SkippedProbe } from '../plan/recorded-plan.ts';
import type { LeftOut, LeftOutReason, RunAgainst } from '../record/run.ts';
import { type LoadOptions, loadSuite } from '../suite/load-suite.ts';
import { shownPath } from '../suite/named-file.ts';
import type { Case, DeclaredVariant, Suite } from '../suite/suite.ts';
import { stepsOf } from '../suite/sweep.ts';
import { costBounds, type Unbounded } from '../targets/cost-bounds.ts';
import { EMBEDDED } from '../targets/origins.ts';
import { resolveVariants } from '../targets/resolve.ts';
import type { Target, Variant } from '../targets/target.ts';
import { utcDay } from './clock.ts';
import { findSuite, loadReferenced, type ReferenceOptions } from './declared-files.ts';
import { type StoredVariants, storedVariants, type TodaysSuite } from './prepare/stored-variants.ts';
import { type PreparedJudge, prepareJudges } from './prepare-judges.ts';

/** Reports why `limits.usd` cannot be kept: for each variant the first prompt without an upper bound of its cost. */
function refuseBudget(
  { limits, variants: declared, cases }: Pick<Suite, 'limits' | 'variants' | 'cases'>,
  variants: readonly Variant[],
): readonly Diagnostic[] {
  if (limits.usd === null) return [];
  return variants.flatMap((variant): readonly Diagnostic[] => {
    const place = declared.find(({ name }) => name === variant.name)?.place ?? null;
    for (const oneCase of cases) {
      const bounds = oneCase.kinds.includes(variant.kind) ? costBounds(variant, oneCase) : null;
      if (typeof bounds === 'string') return [{ place, ...faultOf(bounds, variant, oneCase) }];
    }
    return [];
  });
}

function faultOf(code: Unbounded, { name, price }: Variant, { id }: Case): Fault {
  const needs = `limits.usd needs the highest cost of a request of "${name}"`;
  const most = (units: string) =>
    `add most to its price, the most ${units} of a request: { ${written(price)}, most: 4 }`;
  switch (code) {
    case 'no_price':
      return {
        cause: `${needs}, and its price is unknown`,
        remedy: 'give the variant a price such as { per: request, usd: 0.05 }, or limit the requests instead',
      };
    case 'no_output_count':
      return { cause: `${needs}, and one reply may hold several outputs`, remedy: most(`${price?.per ?? 'output'}s`) };
    case 'no_seconds':
      return {
        cause: `${needs}, and nothing limits the seconds of prompt "${id}"`,
        remedy: `give the input seconds, or ${most('seconds')}`,
      };
    case 'wrong_most':
      return {
        cause: `${needs}, and its units are not a number above 0, at most 1e15, for prompt "${id}"`,
        remedy: 'correct "most" in the target, or give the variant a price',
      };
  }
}

function written(price: Variant['price']): string {
  return price === null ? 'per: output, usd: 0.05' : `per: ${price.per}, usd: ${price.usd}`;
}

export const LOOK_FLAGS = { confirm: '--confirm', until_decided: '--until-decided' } as const;

function refuseLooks(fault: LooksFault, kind: AskedLooks): Extract<Checked<never>, { readonly ok: false }> {
  const flag = LOOK_FLAGS[kind];
  switch (fault.code) {
    case 'open_load':
      return refused(
        `${flag} needs closed load: open load sends each variant once, at its own times`,
        `set load.mode to closed, or remove ${flag}`,
      );
    case 'sweep':
      return refused(
        `${flag} needs one concurrency, and this load sweeps over several`,
        `set load.concurrency to one number, or remove ${flag}`,
      );
    case 'too_few_case_seeds':
      return refused(
        `${flag} needs at least ${fault.needs} prompts x seeds, and this suite has ${fault.caseSeeds}`,
        'add prompts or seeds, or use --confirm',
      );
  }
}

/** A suite with its plan, checked before anything is sent. */
export interface PreparedSuite {
  readonly suite: Suite;
  readonly overrides: readonly string[];
  /** In the order of the variants. */
  readonly targets: readonly Target[];
  /** Variants of the suite, then those of a stored baseline that are sent again. */
  readonly variants: readonly Variant[];
  /** The stored baseline of these; null if none is sent again. */
  readonly against: { readonly run: RunAgainst; readonly declared: Json } | null;
  /** Judges among the scorers, asked after measuring. */
  readonly judges: readonly PreparedJudge[];
  /** Variants that this machine cannot measure: neither in `variants` nor in the plan. */
  readonly leftOut: readonly LeftOut[];
  readonly plan: Plan;
  readonly skippedProbes: readonly SkippedProbe[];
  /** Random number that the seeds of the cache probe follow from. */
  readonly nonce: number;
}

/** What rules are checked against if a suite has errors elsewhere. */
export type PartOfSuite = Pick<PreparedSuite, 'suite' | 'variants' | 'leftOut'>;

/** A relative path of a suite or baseline is resolved against `cwd`; `env` replaces `${env.X}`. */
export interface PrepareOptions extends Pick<LoadOptions, 'env' | 'cwd' | 'allowOutside'> {
  readonly overrides?: LoadOptions['overrides'];
  /** Kind of looks at the gate; absent: the plan has one part. */
  readonly looks?: AskedLooks | undefined;
  /** File of a stored baseline whose variants are sent again. */
  readonly against?: string | undefined;
  /** The nonce of a resumed run; drawn by default. */
  readonly nonce?: number | undefined;
  /** The day that models may end at, such as `2026-11-28`; by default that of this machine. */
  readonly today?: string | undefined;
}

/**
 * Loads a suite (a path relative to `cwd`, or the name of a suite of Retake) and its targets, checks them and expands
 * the plan. Sends nothing and reads no key. Gives the plan with warnings, or all errors.
 */
export async function prepareSuite(
  suite: string,
  {
    env,
    cwd,
    overrides = [],
    allowOutside,
    against,
    looks,
    nonce = randomInt(NONCES),
    today: day = utcDay(),
  }: PrepareOptions,
): Promise<CheckedInPart<PreparedSuite, PartOfSuite>> {
  const file = findSuite(suite, cwd);
  if (!file.ok) return file;
  const loaded = await loadSuite(file.value, { env, overrides, allowOutside, cwd });
  const read = loaded.ok ? loaded.value : loaded.rest;
  if (read === undefined) return refusedBy([loaded]);
  const options = { env, allowOutside, cwd, today: day };
  const targets = await loadTargets(read, options);
  const usable = targets.ok ? targets.value : (targets.rest ?? new Map<string, Target>());
  const whole = loaded.ok && targets.ok;
  const named = { ...read, variants: read.variants.filter(({ target }) => usable.has(target)) };
  const variants = resolveVariants(named, usable, day, whole ? 'all_used' : 'in_part');
  const judges = await prepareJudges(read.judges, resolve(cwd, read.file), options);
  if (!whole || !variants.ok || !judges.ok) {
    const rest = { suite: read, ...(await splitByMachine((variants.ok ? variants.value : variants.rest) ?? [])) };
    return { ...refusedBy([loaded, targets, variants, judges]), rest };
  }
  const todays = { day, suite: read, variants: variants.value, targets: distinctTargets(usable.values()) };
  const stored = against === undefined ? NOT_AGAINST : await loadStored(against, todays, { env, cwd });
  if (!stored.ok) return stored;
  const { variants: measurable, leftOut } = await splitByMachine([
    ...todays.variants,
    ...(stored.value?.variants ?? []),
  ]);
  const planned = expandDeclared({ ...read, variants: measurable, nonce, looks });
  if (!planned.ok) return planned;
  const unbounded = refuseBudget(read, measurable);
  if (unbounded.length > 0) return { ok: false, diagnostics: unbounded };
  return {
    ok: true,
    value: {
      suite: read,
      overrides,
      targets: [...todays.targets, ...(stored.value?.targets ?? [])],
      variants: measurable,
      against: stored.value === null ? null : { run: stored.value.against, declared: stored.value.declared },
      judges: judges.value,
      leftOut,
      ...planned.value,
      nonce,
    },
    warnings: distinctDiagnostics([loaded, targets, variants, judges, stored].flatMap(({ warnings = [] }) => warnings)),
  };
}

/**
 * The plan, or why there is none.
 * @param declared a suite with its variants
 * @param looks what an option asks for
 */
export function expandDeclared({
  looks,
  ...declared
}: Omit<Suite, 'variants'> &
  Omit<Parameters<typeof expandPlan>[0], 'looks' | 'claimPairs'> & {
    readonly looks?: AskedLooks | undefined;
  }): Checked<Pick<PreparedSuite, 'plan' | 'skippedProbes'>> {
  const { gate, variants } = declared;
  const requests = plannedRequests(declared, variants) * (looks === 'confirm' ? 2 : 1);
  if (requests > MOST_REQUESTS) {
    const cause = `the plan has ${requests} trials, more than ${MOST_REQUESTS}`;
    return refused(cause, 'use fewer prompts, seeds or repeats, or a lower rate');
  }
  const claims = gate.flatMap(({ rule: { bound } }) => (bound.is === 'claim' ? [bound.pairs] : []));
  if (claims.length > 0 && looks !== undefined) {
    const flag = LOOK_FLAGS[looks];
    return refused(`${flag} cannot be used with a claim, which says itself when the run ends`, `remove ${flag}`);
  }
  // Rules of a gate need the whole plan.
  const parts: LookKind | undefined = claims.length > 0 && claims.length === gate.length ? 'claim' : looks;
  const input = { ...declared, looks: parts, ...(parts === 'claim' && { claimPairs: Math.max(...claims) }) };
  const fault = looks === undefined ? null : findLooksFault(input, looks);
  if (looks !== undefined && fault !== null) return refuseLooks(fault, looks);
  return { ok: true, value: { plan: expandPlan(input), skippedProbes: findSkippedProbes(input) } };
}

function refusedBy(checked: readonly CheckedInPart<unknown>[]): Extract<Checked<never>, { readonly ok: false }> {
  // Only the first fault at each place: others there follow from it.
  const diagnostics: Diagnostic[] = [];
  for (const result of checked) {
    const places = new Set(diagnostics.map(({ place }) => JSON.stringify(place)));
    const isNew = ({ place }: Diagnostic) => place === null || !places.has(JSON.stringify(place));
    if (!result.ok) diagnostics.push(...result.diagnostics.filter(isNew));
  }
  return { ok: false, diagnostics: distinctDiagnostics(diagnostics) };
}

const NOT_AGAINST: Checked<null> = { ok: true, value: null };

async function loadStored(
  path: string,
  today: TodaysSuite,
  { env, cwd }: Pick<LoadOptions, 'env' | 'cwd'>,
): Promise<Checked<StoredVariants>> {
  const absolute = resolve(cwd, path);
  const { readBaseline } = await import('../record/read-record.ts');
  const baseline = await readBaseline(absolute);
  return baseline.ok ? storedVariants(baseline.value, shownPath(absolute, cwd), today, env) : baseline;
}

/** The limit of `crypto.randomInt`. */
const NONCES = 2 ** 48 - 1;

/** A plan is in memory: this many trials take about a gigabyte. */
const MOST_REQUESTS = 1_000_000;

function plannedRequests(
  { cases, seeds, repeats, probes, load }: Omit<Suite, 'variants'>,
  variants: readonly Variant[],
): number {
  const arrivals = load.mode === 'open' ? plannedArrivals(load) : Infinity;
  if (arrivals !== Infinity) return Math.ceil(arrivals) * variants.length;
  const steps = stepsOf(load)?.length ?? 1;
  const asked = variants.map(({ kind }) => cases.filter(({ kinds }) => kinds.includes(kind)).length);
  return (
    asked.reduce((sum, prompts) => sum + prompts, 0) *
    seeds.length *
    (repeats * steps + (probes.includes('load') ? LOAD_TAKES : 0))
  );
}

async function loadTargets(
  suite: Suite,
  options: ReferenceOptions,
): Promise<CheckedInPart<ReadonlyMap<string, Target>>> {
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const targets = new Map<string, Target>();
  const references = new Map<string, DeclaredVariant>();
  for (const variant of suite.variants) if (!references.has(variant.target)) references.set(variant.target, variant);
  for (const [reference, variant] of references) {
    const target = await loadReferenced(reference, resolve(options.cwd, suite.file), variant.targetSource, options);
    if (!target.ok) diagnostics.push(...target.diagnostics);
    else if (isNamesake(target.value, targets)) diagnostics.push(sayNamesake(target.value, variant));
    else {
      targets.set(reference, target.value);
      warnings.push(...(target.warnings ?? []));
    }
  }
  // Several targets may have the same wrong environment variable.
  if (diagnostics.length > 0) return { ok: false, diagnostics: distinctDiagnostics(diagnostics), rest: targets };
  return { ok: true, value: targets, warnings };
}

/** The record identifies targets by id, so two must not share one; but one file may have two references. */
function isNamesake({ id, file }: Target, targets: ReadonlyMap<string, Target>): boolean {
  return [...targets.values()].some((other) => other.id === id && other.file !== file);
}

function sayNamesake({ id, file }: Target, { place }: DeclaredVariant): Diagnostic {
  return { place, cause: `${file} has the id "${id}" of another target of this suite`, remedy: 'give it another id' };
}

export function distinctTargets(targets: Iterable<Target>): readonly Target[] {
  return [...new Map([...targets].map((target) => [target.id, target])).values()];
}

/** Without an encoder the embedded reference service answers every request for video with 501. */
async function splitByMachine(
  variants: readonly Variant[],
): Promise<{ readonly variants: readonly Variant[]; readonly leftOut: readonly LeftOut[] }> {
  if (!variants.some(needsEncoder)) return { variants, leftOut: [] };
  const reason = await missingEncoder();
  if (reason === null) return { variants, leftOut: [] };
  return {
    variants: variants.filter((variant) => !needsEncoder(variant)),
    leftOut: variants
      .filter(needsEncoder)
      .map(({ name, twinOf = null, kind, optional }) => ({ variant: name, twinOf, kind, reason, optional })),
  };
}

export function needsEncoder({ kind, baseUrl }: Variant): boolean {
  return baseUrl === EMBEDDED && (kind === 'text-to-video' || kind === 'image-to-video');
}

async function missingEncoder(): Promise<LeftOutReason | null> {
  const loaded = await loadLibav();
  if (!loaded.ok) return { code: 'no_video_package', fault: loaded.reason };
  const { Codec, FF_ENCODER_LIBX264 } = loaded.libav;
  if (Codec.findEncoderByName(FF_ENCODER_LIBX264) !== null) return null;
  return { code: 'no_video_encoder', encoder: FF_ENCODER_LIBX264 };
}
