import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trial } from '../../../src/plan/trial.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { type Budget, createBudget } from '../../../src/run/limits/stop-rules.ts';
import type { CostBounds } from '../../../src/targets/cost-bounds.ts';
import { buildFailure, buildOk, buildTrial } from '../../fixtures/stored-run-builder.ts';

const FLAT: CostBounds = { leastUsd: 0.1, mostUsd: 0.1, delivered: null };
const UP_TO_FOUR: CostBounds = { leastUsd: 0.1, mostUsd: 0.4, delivered: { per: 'output', usd: 0.1 } };

function budgetOf(limitUsd: number, bounds: CostBounds = FLAT): Budget {
  return createBudget(limitUsd, () => bounds, []);
}

const trial = buildTrial({});

/** A delivered sample, its outputs with the size that their header says. */
function withUnits(all: readonly (number | undefined)[]): Sample {
  const sample = buildOk(100, 'a');
  if (!('outputs' in sample) || sample.outcome !== 'ok') return sample;
  const [output] = sample.outputs;
  const [head, ...tail] = all.map((units) => (units === undefined ? output : { ...output, units }));
  return head === undefined ? sample : { ...sample, outputs: [head, ...tail] };
}

describe('a budget in dollars', () => {
  it('a limit of 0.3: takes three requests of 0.1 and no fourth', () => {
    const budget = budgetOf(0.3);
    expect([1, 2, 3, 4].map(() => budget.reserve(trial))).toEqual([true, true, true, false]);
    expect(budget.usd()).toBe(0.3);
  });

  it('a failure: counts as much as a success', () => {
    const budget = budgetOf(1);
    for (const outcome of ['rejected', 'timed_out', 'error', 'unknown_charged', 'throttled'] as const) {
      budget.reserve(trial);
      budget.settle(buildFailure(outcome));
    }
    expect(budget.usd()).toBeCloseTo(0.5, 9);
  });

  it('a cost that the reply reports: counts in place of the most, above it too', () => {
    const budget = budgetOf(1);
    budget.reserve(trial);
    budget.settle(buildOk(100, 'a', { costUsd: 0.03 }));
    budget.reserve(trial);
    budget.settle(buildFailure('rejected', { costUsd: 0 }));
    budget.reserve(trial);
    budget.settle(buildOk(100, 'a', { costUsd: 0.25 }));
    expect(budget.usd()).toBeCloseTo(0.28, 9);
  });

  it('a price per output: is owed for the outputs that came', () => {
    const budget = budgetOf(1, UP_TO_FOUR);
    budget.reserve(trial);
    expect(budget.usd()).toBeCloseTo(0.4, 9);
    budget.settle(buildOk(100, 'a'));
    expect(budget.usd()).toBeCloseTo(0.1, 9);
  });

  it('a price per second: counts the started seconds that came, and the most where that is not known', () => {
    const bounds = { leastUsd: 0, mostUsd: 1, delivered: { per: 'second', usd: 0.1 } as const };
    const charge = (units: readonly (number | undefined)[]) => {
      const budget = budgetOf(20, bounds);
      budget.reserve(trial);
      budget.settle(withUnits(units));
      return budget.usd();
    };
    expect(charge([4.96])).toBeCloseTo(0.5, 9);
    expect(charge([0.25])).toBeCloseTo(0.1, 9);
    expect(charge([2, 3])).toBeCloseTo(0.5, 9);
    expect(charge([10])).toBeCloseTo(1, 9);
    expect(charge([10.04])).toBeCloseTo(1.004, 9);
    expect(charge([undefined])).toBeCloseTo(1, 9);
    expect(charge([2, undefined])).toBeCloseTo(1, 9);
  });

  it('attempts after a refusal: each counts at its most', () => {
    const budget = budgetOf(1);
    for (const _attempt of [1, 2, 3]) budget.reserve(trial);
    budget.settle(buildOk(100, 'a', { attempts: 3, costUsd: 0.02 }));
    expect(budget.usd()).toBeCloseTo(0.22, 9);
  });

  it('a request that did not leave: costs nothing', () => {
    const budget = budgetOf(1);
    budget.reserve(trial);
    budget.release(trial);
    budget.settle(buildFailure('cancelled', { attempts: 0 }));
    expect(budget.usd()).toBe(0);
  });

  it('an earlier process: its ends count as what they cost, its open requests at their most', () => {
    const spent = [
      { trial, attempts: 1, sample: buildOk(100, 'a', { costUsd: 0.01 }) },
      { trial, attempts: 2, sample: null },
    ];
    const budget = createBudget(1, () => FLAT, spent);
    expect(budget.usd()).toBeCloseTo(0.21, 9);
    // The end of its job is seen by this one.
    budget.settle(buildOk(100, 'b', { attempts: 2, costUsd: 0.05 }));
    expect(budget.usd()).toBeCloseTo(0.16, 9);
  });
});

interface Call {
  readonly trial: Trial;
  attempts: number;
}

const usd = fc.integer({ min: 0, max: 400_000 }).map((millionths) => millionths / 1e6);

describe('a budget under any order of calls', () => {
  it('what a service charges at most its price for: is never above the limit, and what is counted is never below it', () => {
    const step = fc.record({
      act: fc.constantFrom('begin', 'again', 'end', 'unsent'),
      at: fc.nat(),
      cost: usd,
      says: fc.boolean(),
    });
    fc.assert(
      fc.property(
        usd,
        fc.array(usd, { minLength: 1, maxLength: 4 }),
        fc.array(step, { maxLength: 200 }),
        (limit, prices, steps) => {
          const priceOf = ({ variant }: Pick<Trial, 'variant'>) => prices[Number(variant)] ?? 0;
          const budget = createBudget(limit, (each) => ({ leastUsd: 0, mostUsd: priceOf(each), delivered: null }), []);
          const open: Call[] = [];
          let charged = 0;
          for (const { act, at, cost, says } of steps) {
            const call = open[at % Math.max(1, open.length)];
            if (act === 'begin') {
              const begun = buildTrial({ variant: String(at % prices.length) });
              if (budget.reserve(begun)) open.push({ trial: begun, attempts: 1 });
            } else if (call === undefined) continue;
            else if (act === 'again') {
              if (budget.reserve(call.trial)) call.attempts += 1;
            } else {
              open.splice(open.indexOf(call), 1);
              if (act === 'unsent') {
                budget.release(call.trial);
                call.attempts -= 1;
              }
              const last = call.attempts === 0 ? 0 : Math.min(cost, priceOf(call.trial));
              charged += Math.max(0, call.attempts - 1) * priceOf(call.trial) + last;
              budget.settle(endOf(call, says && call.attempts > 0 ? last : null));
            }
            // The worst that the service may still charge.
            const worst = open.reduce((sum, each) => sum + each.attempts * priceOf(each.trial), charged);
            expect(worst).toBeLessThanOrEqual(limit + 1e-8);
            expect(budget.usd()).toBeGreaterThanOrEqual(worst - 1e-8);
          }
        },
      ),
    );
  });
});

function endOf({ trial: { variant }, attempts }: Call, costUsd: number | null): Sample {
  return buildFailure(attempts === 0 ? 'cancelled' : 'error', { trial: { variant }, attempts, costUsd });
}
