import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandPlan } from '../../src/plan/expand.ts';
import type { PlanInput } from '../../src/plan/order/order.ts';
import type { OpenLoad } from '../../src/suite/load.ts';
import type { Variant } from '../../src/targets/target.ts';
import { CLOSED, OPEN, type PlanParts, planInput, seededVariants, submitWith } from '../fixtures/plan-input.ts';

const trialsOf = (input: PlanInput) => expandPlan(input).slices.flatMap(({ trials }) => trials);
const idsOf = (input: PlanInput) => trialsOf(input).map(({ id }) => id);

describe('expandPlan', () => {
  it('expandPlan holds every variant x case x seed x repeat once, with ids that are all different', () => {
    fc.assert(
      fc.property(
        fc.record({
          prompts: fc.integer({ min: 1, max: 5 }),
          seeds: fc.integer({ min: 1, max: 5 }),
          repeats: fc.integer({ min: 1, max: 4 }),
        }),
        ({ prompts, seeds, repeats }) => {
          const seedList = Array.from({ length: seeds }, (_, at) => at);
          const trials = trialsOf(planInput({ prompts, seeds: seedList, repeats }));
          expect(trials.filter(({ phase }) => phase === 'trial')).toHaveLength(2 * prompts * seeds * repeats);
          expect(new Set(trials.map(({ id }) => id)).size).toBe(trials.length);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('expandPlan gives the same plan again, to the digest', () => {
    expect(expandPlan(planInput()).digest).toBe(expandPlan(planInput()).digest);
    const other = planInput({ load: { ...CLOSED, shuffle: 2 } });
    expect(expandPlan(other).digest).not.toBe(expandPlan(planInput()).digest);
    expect(idsOf(other).sort()).toEqual(idsOf(planInput()).sort());
  });

  it('expandPlan keeps ids when the host changes, and changes them when the request does', () => {
    const ids = (variants: readonly Variant[]) => idsOf(planInput({ variants })).sort();
    const here = ids(seededVariants(['standard', 'fast']));
    expect(ids(seededVariants(['standard', 'fast'], { base_url: 'https://elsewhere.example' }))).toEqual(here);
    expect(
      ids(seededVariants(['standard', 'fast'], { submit: { ...submitWith(), path: '/v2/generate' } })),
    ).not.toEqual(here);
  });

  it('expandPlan keeps the id of a trial when prompts, seeds and repeats are added beside it', () => {
    const wider = planInput({ prompts: ['dog', 'fox', 'cat'], seeds: [9, 1, 2], repeats: 4 });
    const trials = (input: PlanInput) =>
      trialsOf(input)
        .filter(({ phase }) => phase === 'trial')
        .map(({ id }) => id);
    expect(trials(wider)).toEqual(expect.arrayContaining(trials(planInput())));
  });

  it('expandPlan begins with a slice of warm-ups for each variant, with seeds outside the plan and inside the target’s range', () => {
    const range = { inputs: { seed: { min: 0, max: 100, omit_means: 'random', claim: 'exact' } } };
    const variants = seededVariants(['standard', 'fast'], range);
    const input = planInput({ variants, seeds: [100, 0, 3], load: { ...CLOSED, warmup: 3 } });
    const [first, second, ...others] = expandPlan(input).slices;
    for (const slice of [first, second]) {
      expect(slice?.trials.map(({ phase }) => phase)).toEqual(['warmup', 'warmup', 'warmup']);
      expect(slice?.trials.map(({ seed }) => seed)).toEqual([1, 2, 4]);
      expect(new Set(slice?.trials.map(({ variant }) => variant)).size).toBe(1);
    }
    expect(others.flatMap(({ trials }) => trials).every(({ phase }) => phase === 'trial')).toBe(true);
  });

  it('expandPlan numbers its slices and counts its requests', () => {
    const plan = expandPlan(planInput());
    expect(plan.slices.map(({ index }) => index)).toEqual(plan.slices.map((_, at) => at));
    expect(plan.requests).toBe(2 * 2 * 2 * 2 + 2);
  });
});

describe('open load', () => {
  const open = (stages: OpenLoad['stages'], part: PlanParts = {}) =>
    planInput({ ...part, load: { ...OPEN, concurrency: 8, stages, warmup: 2 } });
  const measured = (input: PlanInput) => expandPlan(input).slices.filter(({ pace }) => pace.mode === 'open');

  it('open load sends the plan once, each variant alone, all under the same arrivals and in the same order', () => {
    const [one, other, ...more] = measured(open([{ ratePerSecond: 2, forMs: null }]));
    expect(more).toEqual([]);
    expect(new Set(one?.trials.map(({ variant }) => variant)).size).toBe(1);
    expect(one?.pace).toEqual({ mode: 'open', ceiling: 8, startsMs: [0, 500, 1000, 1500, 2000, 2500, 3000, 3500] });
    expect(other?.pace).toEqual(one?.pace);
    expect(other?.trials.map(({ block }) => block)).toEqual(one?.trials.map(({ block }) => block));
    expect(new Set(one?.trials.map(({ id }) => id)).size).toBe(8);
  });

  it('open load ends with its last stage, or begins the plan again with seeds that nobody used', () => {
    const short = measured(open([{ ratePerSecond: 2, forMs: 1500 }]));
    expect(short.map(({ trials }) => trials.length)).toEqual([3, 3]);

    const input = open([{ ratePerSecond: 2, forMs: 10_000 }], { prompts: ['fox'] });
    const [first] = measured(input);
    const trials = first?.trials ?? [];
    expect(trials).toHaveLength(20);
    expect(new Set(trials.map(({ id }) => id)).size).toBe(20);
    const seeds = trials.map(({ seed }) => seed);
    // Two seeds taken twice are a pass of four; 3 and 4 are the warm-ups'.
    expect(new Set(seeds.slice(0, 4))).toEqual(new Set([1, 2]));
    expect(new Set(seeds.slice(4, 8))).toEqual(new Set([5, 6]));
    expect(seeds).not.toContain(3);
  });

  it('open load counts repeats on where a target has no more seeds', () => {
    const variants = seededVariants(['standard'], { inputs: { seed: { min: 1, max: 2, claim: 'exact' } } });
    const [slice] = measured(open([{ ratePerSecond: 1, forMs: 8000 }], { variants, prompts: ['fox'] }));
    const takes = slice?.trials.map(({ seed, repeat }) => `${seed}/${repeat}`) ?? [];
    expect(new Set(takes)).toEqual(new Set(['1/1', '1/2', '2/1', '2/2', '1/3', '1/4', '2/3', '2/4']));
  });

  it('open load is another plan at other times', () => {
    const digest = (rate: number) => expandPlan(open([{ ratePerSecond: rate, forMs: null }])).digest;
    expect(digest(2)).toBe(digest(2));
    expect(digest(2)).not.toBe(digest(3));
  });
});

describe('a sweep', () => {
  const sweep = (steps: readonly number[], part: PlanParts = {}) =>
    planInput({ ...part, load: { ...CLOSED, mode: 'closed', order: 'paired', steps, concurrency: 4 } });
  const measured = (input: PlanInput) =>
    expandPlan(input).slices.filter(({ trials }) => trials.every(({ phase }) => phase === 'step'));

  it('a sweep measures every variant at every step, alone, with all cells and repeats', () => {
    const slices = measured(sweep([1, 2, 4]));
    const seen = new Map<string, Set<string>>();
    for (const { trials, pace } of slices) {
      const [first] = trials;
      expect(new Set(trials.map(({ variant, step }) => `${variant} ${step}`)).size).toBe(1);
      expect(pace).toEqual({ mode: 'closed', concurrency: first?.step });
      const key = `${first?.variant} ${first?.step}`;
      const ids = seen.get(key) ?? new Set();
      for (const { id } of trials) ids.add(id);
      seen.set(key, ids);
    }
    expect(seen.size).toBe(6);
    for (const ids of seen.values()) expect(ids.size).toBe(8);
    expect(new Set([...seen.values()].flatMap((ids) => [...ids])).size).toBe(48);
  });

  /** The lengths of the slices of a variant at a step, in the order they are sent. */
  const lengths = (steps: readonly number[], step: number, part: PlanParts = {}) =>
    measured(sweep(steps, part)).flatMap(({ trials }) =>
      trials[0]?.step === step && trials[0].variant === 'fast' ? [trials.length] : [],
    );

  it('a sweep joins as many repeats into a slice as throughput needs, where there are as many', () => {
    // Four cells: 10 takes for each slot are 3 repeats at a step of 1, 10 at one of 4.
    expect(lengths([1, 4], 1, { repeats: 30 })).toEqual(Array.from({ length: 10 }, () => 12));
    expect(lengths([1, 4], 4, { repeats: 30 })).toEqual([40, 40, 40]);
    expect(lengths([1, 4], 4, { repeats: 25 })).toEqual([48, 52]);
  });

  it('a sweep comes in passes over the run where a step cannot have a slice as long', () => {
    // Of two repeats, one fills twice a step of 2, both twice one of 4.
    expect(lengths([2, 4], 2)).toEqual([4, 4]);
    expect(lengths([2, 4], 4)).toEqual([8]);
  });

  it('a sweep sends the variants of a pass one after the other, over the same cells in the same order', () => {
    const slices = measured(sweep([1, 4], { repeats: 30 }));
    for (let at = 0; at < slices.length; at += 2) {
      const [one, other] = slices.slice(at, at + 2).map(({ trials }) => trials);
      expect(one?.map(({ block }) => block)).toEqual(other?.map(({ block }) => block));
    }
  });
});
