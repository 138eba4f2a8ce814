import { describe, expect, it } from 'vitest';
import { expandPlan } from '../../../src/plan/expand.ts';
import type { PlanInput } from '../../../src/plan/order/order.ts';
import { isMeasured } from '../../../src/plan/plan.ts';
import { CACHE_PAIRS, findSkippedProbes } from '../../../src/plan/probes.ts';
import type { Trial } from '../../../src/plan/trial.ts';
import { PROBES } from '../../../src/suite/suite.ts';
import { CLOSED, OPEN, type PlanParts, planInput, seededVariants, submitWith } from '../../fixtures/plan-input.ts';

const inputOf = (part: PlanParts = {}) => planInput({ load: { ...CLOSED, concurrency: 3 }, probes: PROBES, ...part });
const trialsOf = (input: PlanInput) => expandPlan(input).slices.flatMap(({ trials }) => trials);
const probesOf = (input: PlanInput, kind: string) => trialsOf(input).filter(({ probe }) => probe?.kind === kind);
const words = ({ prompt, seed, probe }: Trial) => `${prompt}/${seed} ${probe?.role}`;

describe('the probes of a plan', () => {
  it('probes come after everything that is measured, which they do not change', () => {
    const plain = expandPlan(inputOf({ probes: [] }));
    const probed = expandPlan(inputOf());
    expect(probed.slices.slice(0, plain.slices.length)).toEqual(plain.slices);
    const rest = probed.slices.slice(plain.slices.length).flatMap(({ trials }) => trials);
    expect(rest.every(({ phase }) => phase === 'probe')).toBe(true);
    expect(rest.some(isMeasured)).toBe(false);
    expect(probed.requests).toBe(plain.requests + rest.length);
    expect(probed.digest).not.toBe(plain.digest);
    expect(new Set(trialsOf(inputOf()).map(({ id }) => id)).size).toBe(probed.requests);
  });

  it('the seed probe sends a seed that is sent nowhere else, and none twice, on the first prompt, one at a time', () => {
    const trials = probesOf(inputOf({ probes: ['seed'] }), 'seed');
    expect(trials.slice(0, 3).map(words)).toEqual(['fox/4 other', 'fox/null omitted', 'fox/null omitted']);
    expect(trials).toHaveLength(6);
    const { slices } = expandPlan(inputOf({ probes: ['seed'] }));
    expect(slices.at(-1)?.pace).toEqual({ mode: 'closed', concurrency: 1 });
    const open = inputOf({
      probes: ['seed'],
      load: { ...OPEN, concurrency: 4, stages: [{ ratePerSecond: 20, forMs: 1000 }] },
    });
    const elsewhere = new Set(trialsOf(open).flatMap(({ phase, seed }) => (phase === 'probe' ? [] : [seed])));
    expect(elsewhere.has(4)).toBe(false);
    expect(elsewhere.has(5)).toBe(true);
  });

  it('the cache probe repeats in each pair what the pair before it sent fresh, half of them first', () => {
    const input = inputOf({ probes: ['cache'] });
    const trials = probesOf(input, 'cache').filter(({ variant }) => variant === 'fast');
    expect(trials).toHaveLength(1 + 2 * CACHE_PAIRS);
    const seedOf = (role: string, pair: number) =>
      trials.find(({ probe }) => probe?.kind === 'cache' && probe.role === role && probe.pair === pair)?.seed;
    let repeatFirst = 0;
    for (let pair = 1; pair <= CACHE_PAIRS; pair += 1) {
      expect(seedOf('repeat', pair)).toBe(seedOf(pair === 1 ? 'first' : 'fresh', pair - 1));
      if (trials[2 * pair - 1]?.probe?.role === 'repeat') repeatFirst += 1;
    }
    expect(repeatFirst).toBe(CACHE_PAIRS / 2);
    const sent = trialsOf(input).flatMap(({ probe, seed }) => (probe?.role === 'repeat' ? [] : [seed]));
    const drawn = probesOf(input, 'cache').flatMap(({ probe, seed }) => (probe?.role === 'repeat' ? [] : [seed]));
    for (const seed of drawn) expect(sent.filter((each) => each === seed)).toHaveLength(1);
  });

  it('the cache probe sends other seeds in each run, under the same ids and the same digest of the plan', () => {
    const [one, other] = [expandPlan(inputOf({ nonce: 1 })), expandPlan(inputOf({ nonce: 2 }))];
    expect(one.digest).toBe(other.digest);
    const seeds = (nonce: number) => new Set(probesOf(inputOf({ nonce }), 'cache').map(({ seed }) => seed));
    expect([...seeds(1)].filter((seed) => seeds(2).has(seed))).toEqual([]);
    expect(expandPlan(inputOf({ nonce: 1 }))).toEqual(one);
  });

  it('the load probe takes every cell alone, concurrent, and alone again', () => {
    const { slices } = expandPlan(inputOf({ probes: ['load'] }));
    const own = slices.filter(({ trials }) => trials[0]?.probe !== undefined && trials[0].variant === 'fast');
    expect(own.map(({ trials, pace }) => [trials.map(words).sort(), pace])).toEqual(
      [1, 3, 1].map((concurrency, at) => [
        ['cat/1', 'cat/2', 'fox/1', 'fox/2'].map((cell) => `${cell} ${at === 1 ? 'concurrent' : 'alone'}`),
        { mode: 'closed', concurrency },
      ]),
    );
  });

  it('probes are left out, with the reason, where there is nothing to find out', () => {
    const variantsOf = (keys: Parameters<typeof seededVariants>[1]) => seededVariants(['standard', 'fast'], keys);
    const reasons = (part: PlanParts) => {
      const input = inputOf(part);
      const found = findSkippedProbes(input).filter(({ variant }) => variant === 'fast');
      for (const { probe, whole } of found) if (whole) expect(probesOf(input, probe)).toEqual([]);
      return found.map(({ probe, reason }) => [probe, reason]);
    };
    expect(reasons({})).toEqual([]);
    expect(reasons({ probes: ['load'], load: CLOSED })).toEqual([['load', { code: 'concurrency_1' }]]);
    expect(reasons({ variants: variantsOf({ inputs: {}, submit: submitWith({ seed: 1 }) }) })).toEqual([
      ['seed', { code: 'no_seed' }],
      ['cache', { code: 'no_seed' }],
    ]);
    expect(reasons({ variants: variantsOf({ inputs: { seed: { min: 0, max: 20, claim: 'exact' } } }) })).toEqual([
      ['cache', { code: 'too_few_seeds', seeds: 21 }],
    ]);
    const inline = inputOf({
      variants: variantsOf({ submit: submitWith({ seed: 1, text: 'seed ${case.seed}' }) }),
      probes: ['seed'],
    });
    expect(reasons(inline)).toEqual([['seed', { code: 'seed_required' }]]);
    expect(probesOf(inline, 'seed').map(({ probe }) => probe?.role)).toEqual(['other', 'other']);
  });
});
