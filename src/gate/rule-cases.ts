import type { Gated, Metric } from '../analysis/metric.ts';
import { STABILITY_METRICS } from '../analysis/stability.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { baselineOf, type ComparableVariant, isTwin, twinOf } from '../record/compared-variants.ts';
import type { RunPrompt } from '../record/run.ts';
import type { Kind } from '../suite/kind.ts';
import type { Load } from '../suite/load.ts';
import type { GateRule, WrittenAs } from '../suite/rule.ts';
import type { ProbeKind } from '../suite/suite.ts';

export type GatedVariant = ComparableVariant;

export interface RuleCase<V extends GatedVariant = VariantSummary> {
  /** Position of the rule in the suite, from 0. */
  readonly index: number;
  readonly rule: GateRule;
  readonly variant: V;
  /** The compared variant; null if the rule sets a bound of its own. */
  readonly baseline: V | null;
  /** Prompts of the rule; null: all. */
  readonly prompts: ReadonlySet<string> | null;
}

export function comparesVariants({ bound, against }: Pick<GateRule, 'bound' | 'against'>): boolean {
  return against !== 'history' && ('share' in bound || 'amount' in bound);
}

/** Whether a rule compares a variant with its twin of the stored baseline, sent again in the same run. */
export function comparesTwins(rule: Pick<GateRule, 'metric' | 'against'>): boolean {
  return rule.against === 'baseline' && !STABILITY_METRICS.has(rule.metric);
}

/** Whether a rule needs the outputs that a stored baseline keeps. */
export function needsKeptOutputs(rule: Pick<GateRule, 'metric' | 'against'>): boolean {
  return rule.against === 'baseline' && !comparesTwins(rule);
}

/** Whether a rule is about a variant and the compared one. */
export function isOfPair(rule: Pick<GateRule, 'bound' | 'against' | 'metric'>, metrics: readonly Metric[]): boolean {
  return comparesVariants(rule) || gatedIn(rule, metrics)?.ofPair === true;
}

function gatedIn(rule: Pick<GateRule, 'metric'>, metrics: readonly Metric[]): Gated | null {
  const gate = metrics.find(({ name }) => name === rule.metric)?.gate;
  return gate === undefined || 'never' in gate ? null : gate;
}

/** By rule, then by variant. Rules of a pair skip baseline variants and those not stored. Twins have no case. */
export function ruleCases<V extends GatedVariant>(
  rules: readonly GateRule[],
  variants: readonly V[],
  prompts: readonly GatedPrompt[],
  metrics: readonly Metric[],
): readonly RuleCase<V>[] {
  return rules.flatMap((rule, index) =>
    variants
      .filter((variant) => isAbout(rule, variant, metrics))
      .flatMap((variant): RuleCase<V>[] => {
        const shared = { index, rule, variant, prompts: promptsOf(rule, prompts, metrics) };
        if (!isOfPair(rule, metrics)) return [{ ...shared, baseline: null }];
        const baseline = comparesTwins(rule) ? twinOf(variant, variants) : baselineOf(variant, variants);
        return baseline === null ? [] : [{ ...shared, baseline }];
      }),
  );
}

/** Whether a rule is about a variant; never about a twin, or one of another kind than its metric's. */
export function isAbout(
  rule: Pick<GateRule, 'metric' | 'variants' | 'kinds'>,
  variant: Pick<GatedVariant, 'name' | 'kind' | 'twinOf'>,
  metrics: readonly Metric[],
): boolean {
  const { variants, kinds } = rule;
  const { name, kind } = variant;
  const ofKind = gatedIn(rule, metrics)?.ofKind ?? kind;
  const isNamed = (variants === null || variants.includes(name)) && (kinds === null || kinds.includes(kind));
  return !isTwin(variant) && isNamed && kind === ofKind;
}

/** As a suite holds it, or a record. */
interface GatedPrompt extends Pick<RunPrompt, 'id' | 'tags'> {
  readonly mask?: object | null;
  readonly media?: RunPrompt['media'];
}

function promptsOf(
  rule: GateRule,
  prompts: readonly GatedPrompt[],
  metrics: readonly Metric[],
): ReadonlySet<string> | null {
  const ofMasks = gatedIn(rule, metrics)?.ofMasks === true;
  if (rule.prompts === null && rule.tags === null && !ofMasks) return null;
  const chosen = prompts.filter(
    ({ id, tags, mask = null, media = [] }) =>
      (!ofMasks || mask !== null || media.some(({ role }) => role === 'mask')) &&
      (rule.prompts === null || rule.prompts.includes(id)) &&
      (rule.tags === null || tags.some((tag) => rule.tags?.includes(tag))),
  );
  return new Set(chosen.map(({ id }) => id));
}

export interface GatedSuite {
  readonly rules: readonly GateRule[];
  /** Includes variants that this machine leaves out. */
  readonly variants: readonly (GatedVariant & { readonly timeoutMs: number })[];
  readonly prompts: readonly (GatedPrompt & { readonly kinds: readonly Kind[] })[];
  readonly load: Load;
  readonly repeats: number;
  readonly probes: readonly ProbeKind[];
  readonly metrics: readonly Metric[];
  /** How each bound was written; absent if unknown. */
  readonly writtenAs?: readonly (WrittenAs | null)[];
}
