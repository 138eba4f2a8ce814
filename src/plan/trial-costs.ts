import type { Case } from '../suite/format/suite.ts';
import type { Variant } from '../targets/model/variant.ts';
import { type CostBounds, costBounds, type Unbounded } from '../targets/request/cost-bounds.ts';
import type { Trial } from './trial.ts';

export type TrialCosts = (trial: Pick<Trial, 'variant' | 'prompt'>) => CostBounds | Unbounded;

/** By variant and prompt. Throws for a trial of others. */
export function trialCosts(variants: readonly Variant[], cases: readonly Case[]): TrialCosts {
  const variantOf = new Map(variants.map((variant) => [variant.name, variant]));
  const caseOf = new Map(cases.map((each) => [each.id, each]));
  const known = new Map<string, CostBounds | Unbounded>();
  return ({ variant: name, prompt }) => {
    const key = JSON.stringify([name, prompt]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const variant = variantOf.get(name);
    const oneCase = caseOf.get(prompt);
    if (variant === undefined || oneCase === undefined) throw new Error(`no variant ${name} with a prompt ${prompt}`);
    const bounds = costBounds(variant, oneCase);
    known.set(key, bounds);
    return bounds;
  };
}
