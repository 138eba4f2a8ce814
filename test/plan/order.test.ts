import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KindTrials, orderTrials } from '../../src/plan/order/order.ts';
import { blockOf, caseSeedOf, cellOf, type Plan, type Slice } from '../../src/plan/plan.ts';
import { remainderOf } from '../../src/plan/share.ts';
import { createRandom } from '../../src/statistics/random.ts';
import type { Load, Order } from '../../src/suite/load.ts';
import { CLOSED } from '../fixtures/plan-input.ts';
import { buildTrial } from '../fixtures/stored-run-builder.ts';

interface Shape {
  variants: number;
  prompts: number;
  seeds: number;
  repeats: number;
  concurrency: number;
  shuffle: number;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  variants: fc.integer({ min: 1, max: 4 }),
  prompts: fc.integer({ min: 1, max: 4 }),
  seeds: fc.integer({ min: 1, max: 4 }),
  repeats: fc.integer({ min: 1, max: 3 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  shuffle: fc.integer(),
});

function trialsOf({ variants, prompts, seeds, repeats }: Shape): KindTrials[] {
  return (['text-to-image', 'anime-image'] as const).map((kind) => ({
    kind,
    cells: range(prompts).flatMap((prompt) =>
      range(seeds).map((seed) => ({
        takes: range(repeats).map((repeat) =>
          range(variants).map((variant) =>
            buildTrial({ variant: `${kind}-v${variant}`, kind, prompt: `p${prompt}`, seed, repeat }),
          ),
        ),
      })),
    ),
  }));
}

const range = (n: number) => Array.from({ length: n }, (_, at) => at + 1);
const load = (order: Order, { concurrency, shuffle }: Shape): Load => ({ ...CLOSED, concurrency, order, shuffle });
const ordered = (order: Order, of: Shape) => orderTrials(trialsOf(of), load(order, of), createRandom(of.shuffle));

describe('orderTrials', () => {
  it.each(['paired', 'mixed', 'sequential'] as const)('the order %s sends every trial exactly once', (order) => {
    fc.assert(
      fc.property(shape, (of) => {
        const sent = ordered(order, of)
          .flat()
          .map(({ id }) => id);
        const wanted = trialsOf(of).flatMap(({ cells }) =>
          cells.flatMap(({ takes }) => takes.flat().map(({ id }) => id)),
        );
        expect([...sent].sort()).toEqual([...wanted].sort());
      }),
    );
  });

  it.each(['paired', 'mixed', 'sequential'] as const)('the order %s is the same for the same shuffle', (order) => {
    fc.assert(
      fc.property(shape, (of) => {
        expect(ordered(order, of)).toEqual(ordered(order, of));
      }),
    );
  });

  it('orderTrials pairs: a slice holds one variant, and the slices of a round hold the same cells in the same order', () => {
    fc.assert(
      fc.property(shape, (of) => {
        const slices = ordered('paired', of);
        for (let at = 0; at < slices.length; at += of.variants) {
          const round = slices.slice(at, at + of.variants);
          expect(new Set(round.map((slice) => slice[0]?.variant)).size).toBe(of.variants);
          for (const slice of round) {
            expect(new Set(slice.map(({ variant }) => variant)).size).toBe(1);
            expect(slice.map(({ block }) => block)).toEqual(round[0]?.map(({ block }) => block));
            expect(slice.length).toBeLessThanOrEqual(of.concurrency === 1 ? 1 : 2 * of.concurrency);
          }
        }
      }),
    );
  });

  it('orderTrials pairs: a repeat begins only after every cell had the one before', () => {
    fc.assert(
      fc.property(shape, (of) => {
        const repeats = ordered('paired', of).map((slice) => slice[0]?.repeat ?? 0);
        expect(repeats).toEqual([...repeats].sort((a, b) => a - b));
      }),
    );
  });

  it('orderTrials pairs: every variant goes first about as often', () => {
    const of = { variants: 3, prompts: 10, seeds: 10, repeats: 3, concurrency: 1, shuffle: 5 };
    const first = ordered('paired', of)
      .filter((_, at) => at % 3 === 0)
      .map((slice) => slice[0]?.variant.slice(-2));
    for (const variant of ['v1', 'v2', 'v3']) {
      const share = first.filter((name) => name === variant).length / first.length;
      expect(share).toBeGreaterThan(0.25);
      expect(share).toBeLessThan(0.42);
    }
  });

  it('the order sequential takes variant after variant', () => {
    const slices = ordered('sequential', { variants: 3, prompts: 2, seeds: 2, repeats: 2, concurrency: 2, shuffle: 1 });
    expect(slices.map((slice) => new Set(slice.map(({ variant }) => variant)).size)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('the order mixed takes all together', () => {
    expect(
      ordered('mixed', { variants: 3, prompts: 2, seeds: 2, repeats: 2, concurrency: 2, shuffle: 1 }),
    ).toHaveLength(1);
  });
});

describe('keys of trials', () => {
  const trial = buildTrial({ variant: 'fast', prompt: 'fox', seed: 1, repeat: 1 });

  it('the key of a cell is that of its takes alone, whatever names hold', () => {
    expect(cellOf(buildTrial({ ...trial, repeat: 2, phase: 'step', step: 4 }))).toBe(cellOf(trial));
    const names = ['fast', 'fox', '1', '', 'a b', 'a', 'b', '","', '/', 'null'];
    const cells = names.flatMap((variant) =>
      names.flatMap((prompt) => [null, 1, 11].map((seed) => cellOf({ variant, prompt, seed }))),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it('the key of a case-seed is what the cells of a cell pair have in common', () => {
    expect(caseSeedOf(buildTrial({ ...trial, variant: 'careful' }))).toBe(caseSeedOf(trial));
    const others = [{ prompt: 'fox 1' }, { seed: 11 }, { seed: null }].map((part) => caseSeedOf({ ...trial, ...part }));
    expect(new Set([caseSeedOf(trial), ...others]).size).toBe(4);
  });

  it('the key of a block is shared by variants, and by nothing of another kind, repeat, step or probe', () => {
    expect(blockOf(buildTrial({ ...trial, variant: 'careful' }))).toBe(trial.block);
    const others = [
      { kind: 'text-to-video' },
      { prompt: 'hare' },
      { seed: 2 },
      { repeat: 2 },
      { step: 1 },
      { probe: { kind: 'load', role: 'alone' } },
      { probe: { kind: 'seed', role: 'other', base: 1 } },
      { probe: { kind: 'cache', role: 'fresh', pair: 1 } },
    ] as const;
    expect(new Set([trial.block, ...others.map((part) => blockOf({ ...trial, ...part }))]).size).toBe(9);
  });
});

/** Slices of so many trials; every second one of open load. */
function planOf(sizes: readonly number[]): Plan {
  const slices = sizes.map((size, index): Slice => {
    const trials = Array.from({ length: size }, (_, at) => ({ ...buildTrial({}), id: `${index}-${at}` }));
    const pace =
      index % 2 === 0
        ? ({ mode: 'closed', concurrency: 2 } as const)
        : ({ mode: 'open', ceiling: 4, startsMs: trials.map((_, at) => 100 + at * 10) } as const);
    return { index, trials, pace };
  });
  return { ...EMPTY, digest: 'a plan', slices, requests: sizes.reduce((sum, size) => sum + size, 0) };
}

const EMPTY: Plan = { digest: '', slices: [], requests: 0, looks: null };
const idsOf = ({ slices }: Plan) => slices.flatMap(({ trials }) => trials.map(({ id }) => id));

describe('what is left of a plan', () => {
  it('what is left of a plan: has the trials that are to be sent, each once, in their order and slices', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 5 }), fc.func(fc.boolean()), (sizes, keep) => {
        const plan = planOf(sizes);
        const left = remainderOf(plan, ({ id }) => keep(id));
        expect(idsOf(left)).toEqual(idsOf(plan).filter((id) => keep(id)));
        expect(left.requests).toBe(idsOf(left).length);
        expect(left.digest).toBe(plan.digest);
        for (const { index, trials, pace } of left.slices) {
          expect(trials.length).toBeGreaterThan(0);
          for (const { id } of trials) expect(id.startsWith(`${index}-`)).toBe(true);
          if (pace.mode === 'open') expect(pace.startsMs).toHaveLength(trials.length);
        }
      }),
    );
  });

  it('arrivals of a slice that was begun: start at once, with the gaps that were planned', () => {
    const { slices } = remainderOf(planOf([1, 4]), ({ id }) => id === '1-2' || id === '1-3');
    expect(slices.map(({ pace }) => pace)).toEqual([{ mode: 'open', ceiling: 4, startsMs: [0, 10] }]);
  });
});
