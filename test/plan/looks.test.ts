import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupBy } from '../../src/kit/grouping.ts';
import { expandPlan } from '../../src/plan/expand.ts';
import { findLooksFault, looksBefore } from '../../src/plan/looks.ts';
import type { PlanInput } from '../../src/plan/order/order.ts';
import { caseSeedOf, caseSeedsOf, isMeasured, type Plan, trialsInAll } from '../../src/plan/plan.ts';
import type { LookKind } from '../../src/plan/recorded-plan.ts';
import type { Trial } from '../../src/plan/trial.ts';
import type { Kind } from '../../src/suite/kind.ts';
import { CLOSED, OPEN, planInput, TWO_KINDS } from '../fixtures/plan-input.ts';
import { draws } from '../test-options.ts';

interface Parts {
  readonly prompts: number;
  readonly seeds: number;
  readonly repeats: number;
  readonly concurrency: number;
  readonly shuffle: number;
  readonly probes?: PlanInput['probes'];
}

function inputOf({ concurrency, shuffle, ...parts }: Parts): PlanInput {
  // Every other prompt is of both kinds.
  const kindsOf = (at: number): readonly Kind[] =>
    at % 2 === 0 ? ['text-to-image', 'anime-image'] : ['text-to-image'];
  return planInput({ variants: TWO_KINDS, kindsOf, load: { ...CLOSED, concurrency, shuffle }, ...parts });
}

const planned = (parts: Parts, looks?: LookKind): Plan => expandPlan({ ...inputOf(parts), looks });

/** The measured trials of each part, by the slices that the plan says. */
function splitIntoParts(plan: Plan): readonly (readonly Trial[])[] {
  let from = 0;
  return (plan.looks?.parts ?? []).map(({ lastSlice }) => {
    const own = plan.slices.slice(from, lastSlice + 1).flatMap(({ trials }) => trials.filter(isMeasured));
    from = lastSlice + 1;
    return own;
  });
}

const measured = ({ slices }: Plan) => slices.flatMap(({ trials }) => trials.filter(isMeasured));
const idsOf = (trials: readonly Trial[]) => trials.map(({ id }) => id).sort();

const shape = fc.record({
  prompts: fc.integer({ min: 4, max: 8 }),
  seeds: fc.integer({ min: 4, max: 7 }),
  repeats: fc.integer({ min: 1, max: 3 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  shuffle: fc.integer({ min: 0, max: 1e6 }),
});

describe('a plan in parts', () => {
  it('a plan until decided has the trials of the plan in one part, each once, in 2 to 4 parts of whole case-seeds', () => {
    fc.assert(
      fc.property(shape, (parts) => {
        const plan = planned(parts, 'until_decided');
        const sent = splitIntoParts(plan);
        expect(idsOf(sent.flat())).toEqual(idsOf(measured(planned(parts))));
        const caseSeeds = sent.map((trials) => new Set(trials.map(caseSeedOf)));
        const all = parts.prompts * parts.seeds;
        expect(caseSeeds).toHaveLength(Math.min(4, Math.floor(all / 8)));
        // Whole case-seeds, and so whole blocks: none in two parts.
        expect(caseSeeds.reduce((sum, { size }) => sum + size, 0)).toBe(all);
        expect(caseSeeds.slice(0, -1).every(({ size }) => size === 8)).toBe(true);
        expect(plan.looks?.parts.map((part) => part.caseSeeds)).toEqual(caseSeeds.map(({ size }) => size));
        expect(plan.looks?.parts.map((part) => trialsInAll([part]))).toEqual(sent.map((trials) => trials.length));
      }),
      { numRuns: draws(40) },
    );
  });

  it('a plan with a confirmation is the plan, then every cell again with its repeats counted on', () => {
    fc.assert(
      fc.property(shape, (parts) => {
        const plan = planned(parts, 'confirm');
        const [first = [], second = []] = splitIntoParts(plan);
        expect(first.map(({ id }) => id)).toEqual(measured(planned(parts)).map(({ id }) => id));
        const keyOf = ({ variant, prompt, seed, repeat }: Trial) => JSON.stringify([variant, prompt, seed, repeat]);
        expect(second.map((trial) => keyOf({ ...trial, repeat: trial.repeat - parts.repeats })).sort()).toEqual(
          first.map(keyOf).sort(),
        );
        expect(new Set(second.map(({ phase }) => phase))).toEqual(new Set(['confirm']));
        expect(plan.requests).toBe(planned(parts).requests + first.length);
      }),
      { numRuns: draws(40) },
    );
  });

  it('the slices of each part hold one variant, are paired, and never exceed two times the concurrency', () => {
    fc.assert(
      fc.property(shape, fc.constantFrom('confirm', 'until_decided'), (parts, kind) => {
        const plan = planned(parts, kind);
        for (const { trials, pace } of plan.slices.filter((slice) => slice.trials.some(isMeasured))) {
          expect(new Set(trials.map(({ variant }) => variant)).size).toBe(1);
          expect(trials.length).toBeLessThanOrEqual(parts.concurrency === 1 ? 1 : 2 * parts.concurrency);
          expect(pace).toEqual({ mode: 'closed', concurrency: parts.concurrency });
        }
        // Within a part every block is whole: as many variants as its kind has.
        for (const trials of splitIntoParts(plan)) {
          const blocks = groupBy(trials, ({ block }) => block);
          for (const [, own] of blocks) expect(own).toHaveLength(own[0]?.kind === 'anime-image' ? 1 : 2);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('a look comes after the last slice of every part but the last', () => {
    const plan = planned({ prompts: 5, seeds: 5, repeats: 1, concurrency: 1, shuffle: 1 }, 'until_decided');
    const lastOfPart = plan.looks?.parts.map(({ lastSlice }) => lastSlice) ?? [];
    expect(lastOfPart.map((slice) => looksBefore(plan, slice))).toEqual([0, 1, 2]);
    expect(lastOfPart.map((slice) => looksBefore(plan, slice + 1))).toEqual([1, 2, 2]);
    expect(plan.looks?.of).toBe(3);
    expect(caseSeedsOf(plan.looks ?? { kind: 'confirm', parts: [] })).toBe(25);
  });

  it('parts above concurrency 4 hold as many case-seeds as a round', () => {
    const parts = { prompts: 8, seeds: 5, repeats: 1, concurrency: 8, shuffle: 1 };
    expect(planned(parts, 'until_decided').looks?.parts.map(({ caseSeeds }) => caseSeeds)).toEqual([16, 24]);
  });

  it('the seed probe finds the takes it needs in the first part', () => {
    for (let shuffle = 0; shuffle < 12; shuffle += 1) {
      const parts = { prompts: 5, seeds: 5, repeats: 1, concurrency: 1, shuffle, probes: ['seed'] } satisfies Parts;
      const [first = []] = splitIntoParts(planned(parts, 'until_decided'));
      for (const { name } of TWO_KINDS) {
        expect(first.some(({ variant, prompt, seed }) => variant === name && prompt === 'p0' && seed === 1)).toBe(true);
      }
    }
  });

  it('the digest tells plans in parts from the plan in one, which keeps its own', () => {
    const parts = { prompts: 4, seeds: 4, repeats: 1, concurrency: 1, shuffle: 1 };
    const digests = [undefined, 'confirm', 'until_decided'] as const;
    expect(new Set(digests.map((kind) => planned(parts, kind).digest)).size).toBe(3);
    expect(planned(parts).looks).toBeNull();
  });

  it('parts are refused where no look could be made: open load, a sweep, too few case-seeds', () => {
    const input = inputOf({ prompts: 5, seeds: 3, repeats: 3, concurrency: 1, shuffle: 1 });
    expect(findLooksFault(input, 'until_decided')).toEqual({ code: 'too_few_case_seeds', caseSeeds: 15, needs: 16 });
    expect(findLooksFault(input, 'confirm')).toBeNull();
    expect(findLooksFault({ ...input, load: { ...CLOSED, steps: [1, 2], concurrency: 2 } }, 'confirm')).toEqual({
      code: 'sweep',
    });
    expect(findLooksFault({ ...input, load: OPEN }, 'confirm')).toEqual({ code: 'open_load' });
  });
});
