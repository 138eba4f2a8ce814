import type { Gated, Metric } from '../analysis/metric.ts';
import { baselineOf, isTwin, twinOf } from '../record/compared-variants.ts';
import type { GateRule } from '../suite/rule.ts';
import { kindOf } from './bounds.ts';
import { comparesTwins, type GatedPrompt, type GatedVariant, type RuleCase } from './rule-case.ts';

/** Whether a rule is about a variant and the compared one. */
export function isOfPair(rule: Pick<GateRule, 'bound' | 'against' | 'metric'>, metrics: readonly Metric[]): boolean {
  return kindOf(rule).comparesVariants || gatedIn(rule, metrics)?.ofPair === true;
}

function gatedIn(rule: Pick<GateRule, 'metric'>, metrics: readonly Metric[]): Gated | null {
  const gate = metrics.find(({ name }) => name === rule.metric)?.gate;
  return gate === undefined || 'never' in gate ? null : gate;
}

/** How many cases compare variants: their tests are one family. */
export function countComparisons(cases: readonly Pick<RuleCase, 'rule'>[]): number {
  return cases.filter(({ rule }) => kindOf(rule).comparesVariants).length;
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
        if (rule.bound.is === 'claim') {
          const { against } = rule.bound;
          return variants.flatMap((baseline) => (baseline.name === against ? [{ ...shared, baseline }] : []));
        }
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
  const ofKinds = gatedIn(rule, metrics)?.ofKinds ?? [kind];
  const isNamed = (variants === null || variants.includes(name)) && (kinds === null || kinds.includes(kind));
  return !isTwin(variant) && isNamed && ofKinds.includes(kind);
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
