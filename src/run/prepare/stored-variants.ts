import { type Checked, type Diagnostic, distinctDiagnostics, refused } from '../../kit/diagnostic.ts';
import type { Json } from '../../kit/json.ts';
import { listedInShort } from '../../kit/wording.ts';
import { digestOf } from '../../plan/build-trial.ts';
import type { Baseline } from '../../record/kept-run.ts';
import type { Missing, RunAgainst } from '../../record/run.ts';
import { declareStored } from '../../suite/declare-judges.ts';
import type { Suite } from '../../suite/suite.ts';
import { resolveVariants } from '../../targets/resolve.ts';
import type { Target, Variant } from '../../targets/target.ts';
import { targetDigest } from '../declared-files.ts';
import { keptTargets } from './kept-targets.ts';

export interface TodaysSuite {
  /** `2026-11-28`. */
  readonly day: string;
  readonly suite: Pick<Suite, 'name' | 'cases' | 'inputSources' | 'seeds'>;
  readonly variants: readonly Variant[];
  readonly targets: readonly Target[];
}

export interface StoredVariants {
  /** One per variant with the same name and kind today and in the baseline, in today's order. */
  readonly variants: readonly Variant[];
  /** Targets that differ from today's. */
  readonly targets: readonly Target[];
  readonly against: RunAgainst;
  readonly declared: Json;
}

/** Marks variants and targets of a stored baseline. No name in a suite can contain it. */
const SUFFIX = '@baseline';

/**
 * Variants of a stored baseline that today's suite has by name and kind: with the baseline's constants, target, base
 * URL, price and time limit, and with today's prompts, seeds, levels, environment and secrets. An error if there are
 * none, or one cannot be sent. `file` names the baseline in diagnostics.
 */
export function storedVariants(
  baseline: Baseline,
  file: string,
  today: TodaysSuite,
  env: Readonly<Record<string, string | undefined>>,
): Checked<StoredVariants> {
  const common = today.variants.filter((variant) => baseline.variants.some((stored) => isSame(stored, variant)));
  if (common.length === 0) return nothingCommon(baseline, file);
  const declared = declareStored(
    file,
    baseline.suite.declared,
    common.map(({ name }) => name),
    env,
  );
  if (!declared.ok) return explained(declared.diagnostics, file);
  const remedy = 'keep a new one with retake baseline';
  const kept = keptTargets(baseline, declared.value.variants, env, { file, remedy });
  if (!kept.ok) return explained(kept.diagnostics, file);
  const targets = new Map([...kept.value].map(([name, target]) => [name, todaysOf(target, today.targets)]));
  const { variants, timeoutMs, environment } = declared.value;
  const resolved = resolveVariants(
    { ...today.suite, variants, limits: { timeoutMs, requests: null, usd: null, failures: 1 } },
    targets,
    today.day,
    'some_unused',
  );
  if (!resolved.ok) return explained(resolved.diagnostics, file);
  const twins = common.flatMap((current): Variant[] => {
    const stored = resolved.value.find((candidate) => isSame(candidate, current));
    if (stored === undefined) return [];
    const { name, optional, levels } = current;
    return [{ ...stored, name: `${name}${SUFFIX}`, twinOf: name, baseline: false, optional, levels }];
  });
  const used = [...new Map(twins.map(({ target }) => [target.id, target])).values()];
  const now = Object.assign({}, ...used.map((target) => target.environment), environment);
  return {
    ok: true,
    value: {
      variants: twins,
      targets: used.filter((target) => !today.targets.includes(target)),
      declared: baseline.suite.declared,
      against: {
        run: baseline.run,
        createdAt: baseline.createdAt,
        digest: digestOf(baseline),
        environment: now,
        changedEnvironment: changedSince(baseline, now),
        missing: missingBetween(baseline, today, twins),
      },
    },
    warnings: [...otherSuite(baseline, file, today.suite.name), ...(resolved.warnings ?? []).map(explain(file))],
  };
}

function isSame(a: Pick<Variant, 'name' | 'kind'>, b: Pick<Variant, 'name' | 'kind'>): boolean {
  return a.name === b.name && a.kind === b.kind;
}

function nothingCommon({ variants }: Baseline, file: string): Checked<never> {
  const names = listedInShort(variants.map(({ name, kind }) => `${name} (${kind})`));
  return refused(
    `${file} and this suite have no variant in common; the file has ${names === '' ? 'none' : names}`,
    'use a stored baseline of this suite',
  );
}

/** Today's target if it is unchanged. */
function todaysOf(stored: Target, todays: readonly Target[]): Target {
  const same = todays.find((today) => today.id === stored.id && targetDigest(today) === targetDigest(stored));
  return same ?? { ...stored, id: `${stored.id}${SUFFIX}` };
}

function changedSince({ suite, targets }: Baseline, now: Readonly<Record<string, string>>): readonly string[] {
  const then: Readonly<Record<string, string>> = Object.assign(
    {},
    ...targets.map(({ environment }) => environment),
    suite.environment,
  );
  return Object.keys(now)
    .filter((name) => Object.hasOwn(then, name) && then[name] !== now[name])
    .sort();
}

/** Reports only prompts and seeds that are no longer sent: both sides get today's. */
function missingBetween(baseline: Baseline, { suite, variants }: TodaysSuite, twins: readonly Variant[]): Missing[] {
  const lost = (what: 'prompt' | 'seed', stored: readonly string[], now: readonly string[]) =>
    [...new Set(stored)].filter((id) => !now.includes(id)).map((id): Missing => ({ what, id, side: 'run' }));
  const { cells } = baseline;
  return [
    ...variants
      .filter(({ name }) => !twins.some(({ twinOf }) => twinOf === name))
      .map(({ name }): Missing => ({ what: 'variant', id: name, side: 'baseline' })),
    ...baseline.variants
      .filter((stored) => !variants.some((current) => isSame(stored, current)))
      .map(({ name }): Missing => ({ what: 'variant', id: name, side: 'run' })),
    ...lost(
      'prompt',
      cells.map(({ prompt }) => prompt),
      suite.cases.map(({ id }) => id),
    ),
    ...lost(
      'seed',
      cells.map(({ seed }) => String(seed)),
      suite.seeds.map(String),
    ),
  ];
}

function otherSuite({ suite }: Baseline, file: string, name: string): readonly Diagnostic[] {
  if (suite.name === name) return [];
  const cause = `${file} is the stored baseline of the suite ${suite.name}, not of ${name}`;
  return [{ place: null, cause, remedy: 'if this is not intended, use the stored baseline of this suite' }];
}

/** Errors of the baseline get no place, as nobody edits it; those of today's prompts keep theirs. */
function explained(diagnostics: readonly Diagnostic[], file: string): Checked<never> {
  return { ok: false, diagnostics: distinctDiagnostics(diagnostics.map(explain(file))) };
}

function explain(file: string): (diagnostic: Diagnostic) => Diagnostic {
  return ({ place, cause, remedy }) => ({
    place: place?.file === file ? null : place,
    cause: `${file}: ${cause}`,
    remedy,
  });
}
