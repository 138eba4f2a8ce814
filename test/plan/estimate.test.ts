import { describe, expect, it } from 'vitest';
import { estimateCost, trialCosts } from '../../src/plan/estimate.ts';
import { expandPlan } from '../../src/plan/expand.ts';
import type { AskedLooks } from '../../src/plan/recorded-plan.ts';
import { planInput } from '../fixtures/plan-input.ts';
import { targetWith, variantOf } from '../targets/target-fixture.ts';

const TARGET = targetWith({
  inputs: { seed: { max: 100_000, omit_means: 'random', claim: 'exact' } },
  submit: { path: '/', encoding: 'json', body: { prompt: '${case.prompt}', seed: '${case.seed}' } },
});
const VARIANTS = [
  variantOf(TARGET, { name: 'flat', price: { per: 'request', usd: 0.1 } }),
  variantOf(TARGET, {
    name: 'up-to-four',
    baseline: false,
    price: { per: 'output', usd: 0.01 },
    mostUnits: { literal: 4 },
  }),
  variantOf(TARGET, { name: 'unpriced', baseline: false }),
];

/** Two prompts, two seeds, one take each, and a warm-up and 3 probes a variant. */
function estimated(looks?: AskedLooks) {
  const input = planInput({ variants: VARIANTS, repeats: 1, probes: ['seed'] });
  const plan = expandPlan({ ...input, looks });
  const names = VARIANTS.map(({ name }) => name);
  return estimateCost(plan, plan.slices, names, trialCosts(VARIANTS, input.cases));
}

describe('the estimated cost of a plan', () => {
  it('a plan: counts warm-ups and probes, and leaves out what is of unknown cost', () => {
    expect(estimated()).toEqual({
      variants: [
        { variant: 'flat', requests: 8, leastUsd: 0.8, mostUsd: 0.8 },
        { variant: 'up-to-four', requests: 8, leastUsd: 0.08, mostUsd: 0.32 },
        { variant: 'unpriced', requests: 8, unknown: 'no_price' },
      ],
      leastUsd: 0.88,
      mostUsd: 1.12,
    });
  });

  it('a plan with a confirmation: has it in the upper end only', () => {
    expect(estimated('confirm').variants[0]).toEqual({ variant: 'flat', requests: 12, leastUsd: 0.8, mostUsd: 1.2 });
  });
});
