import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan, Slice } from '../../src/plan/plan.ts';
import { remainderOf } from '../../src/plan/share.ts';
import { buildTrial } from '../fixtures/stored-run-builder.ts';

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
