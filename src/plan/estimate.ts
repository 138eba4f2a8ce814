import { wholeBillionths } from '../kit/most-usd.ts';
import type { Case } from '../suite/suite.ts';
import { type CostBounds, costBounds, type Unbounded } from '../targets/cost-bounds.ts';
import type { Variant } from '../targets/target.ts';
import { looksBefore } from './looks.ts';
import { isMeasured, type Plan, type Slice } from './plan.ts';
import type { Trial } from './trial.ts';

export type TrialCosts = (trial: Pick<Trial, 'variant' | 'prompt'>) => CostBounds | Unbounded;

/** Costs by variant and prompt. Throws for unknown ones. */
export function trialCosts(variants: readonly Variant[], cases: readonly Case[]): TrialCosts {
  const variantOf = new Map(variants.map((variant) => [variant.name, variant]));
  const caseOf = new Map(cases.map((oneCase) => [oneCase.id, oneCase]));
  const known = new Map<string, CostBounds | Unbounded>();
  return ({ variant: name, prompt }) => {
    const key = JSON.stringify([name, prompt]);
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const variant = variantOf.get(name);
    const oneCase = caseOf.get(prompt);
    if (variant === undefined || oneCase === undefined) throw new Error(`no variant ${name} with a prompt ${prompt}`);
    const bounds = costBounds(variant, oneCase);
    known.set(key, bounds);
    return bounds;
  };
}

/** The most that a trial costs, in US dollars; 0 if that is unknown. */
export function mostUsdFrom(costOf: TrialCosts): (trial: Trial) => number {
  return (trial) => {
    const bounds = costOf(trial);
    return typeof bounds === 'string' ? 0 : bounds.mostUsd;
  };
}

/** US dollars by the declared prices, if each request is sent once. */
export interface CostEstimate {
  readonly variants: readonly VariantEstimate[];
  /** Sums over variants of known cost. */
  readonly leastUsd: number;
  readonly mostUsd: number;
}

export type VariantEstimate =
  | { readonly variant: string; readonly requests: number; readonly leastUsd: number; readonly mostUsd: number }
  | { readonly variant: string; readonly requests: number; readonly unknown: Unbounded };

/**
 * The cost of `slices`. Lower end: the fewest units per request, and the gate is decided at the first look. Upper end:
 * all parts, with the most units. A variant without a request costs nothing.
 */
export function estimateCost(
  plan: Pick<Plan, 'looks'>,
  slices: readonly Slice[],
  variants: readonly string[],
  costOf: TrialCosts,
): CostEstimate {
  const drafts = new Map(
    variants.map((variant) => [variant, { requests: 0, leastUsd: 0, mostUsd: 0, unknown: null as Unbounded | null }]),
  );
  for (const { index, trials } of slices) {
    const isLater = looksBefore(plan, index) > 0;
    for (const trial of trials) {
      const draft = drafts.get(trial.variant);
      if (draft === undefined) continue;
      draft.requests += 1;
      const bounds = costOf(trial);
      if (typeof bounds === 'string') {
        draft.unknown ??= bounds;
        continue;
      }
      draft.mostUsd += bounds.mostUsd;
      if (!(isLater && isMeasured(trial))) draft.leastUsd += bounds.leastUsd;
    }
  }
  const estimates = [...drafts].map(([variant, { requests, leastUsd, mostUsd, unknown }]): VariantEstimate => {
    if (unknown !== null) return { variant, requests, unknown };
    return { variant, requests, leastUsd: wholeBillionths(leastUsd), mostUsd: wholeBillionths(mostUsd) };
  });
  const known = estimates.flatMap((estimate) => ('unknown' in estimate ? [] : [estimate]));
  return {
    variants: estimates,
    leastUsd: wholeBillionths(known.reduce((sum, { leastUsd }) => sum + leastUsd, 0)),
    mostUsd: wholeBillionths(known.reduce((sum, { mostUsd }) => sum + mostUsd, 0)),
  };
}
