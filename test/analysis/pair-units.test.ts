import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type UnitKind, unitKindOf, unitsOf } from '../../src/analysis/pair-units.ts';
import { blockPairs } from '../fixtures/block-pairs.ts';
import { CLOSED } from '../fixtures/plan-input.ts';

const ratio = (kind: UnitKind) => ({ kind, effect: 'ratio' as const });
const differencesOf = (...args: Parameters<typeof unitsOf>) =>
  unitsOf(...args).units.map(({ difference }) => difference);

describe('units', () => {
  it('cells: a cell pair is the median of the log ratios of its blocks', () => {
    const blocks = blockPairs([
      { seed: 1, baseline: 100, candidate: 110 },
      { seed: 1, baseline: 100, candidate: 300 },
      { seed: 1, baseline: 200, candidate: 240 },
      { seed: 2, baseline: 100, candidate: 50 },
    ]);
    expect(differencesOf(blocks, ratio('cells'))).toEqual([Math.log(1.2), Math.log(0.5)]);
  });

  it('blocks: each has its own log ratio, those of one cell pair too', () => {
    const blocks = blockPairs([
      { seed: 1, repeat: 1, baseline: 100, candidate: 110 },
      { seed: 1, repeat: 2, baseline: 100, candidate: 300 },
    ]);
    expect(differencesOf(blocks, ratio('blocks'))).toEqual([Math.log(1.1), Math.log(3)]);
  });

  it('the unit of a load: is the block at concurrency 1, the round above it and in every step of a sweep', () => {
    const load = CLOSED;
    expect(unitKindOf(load)).toBe('blocks');
    expect(unitKindOf({ ...load, order: 'sequential' })).toBe('cells');
    expect(unitKindOf({ ...load, concurrency: 4 })).toBe('rounds');
    expect(unitKindOf({ ...load, steps: [1, 4] })).toBe('rounds');
  });

  it('rounds: blocks of several cells in one round are one unit', () => {
    const blocks = blockPairs([
      { seed: 1, round: 'a', baseline: 100, candidate: 110 },
      { seed: 2, round: 'a', baseline: 100, candidate: 130 },
      { seed: 3, round: 'a', baseline: 100, candidate: 120 },
      { seed: 1, round: 'b', baseline: 100, candidate: 90 },
    ]);
    expect(differencesOf(blocks, ratio('rounds'))).toEqual([Math.log(1.2), Math.log(0.9)]);
  });

  it('time-outs: of the candidate alone are infinite, of the baseline alone minus infinite, of both say nothing', () => {
    const blocks = blockPairs([
      { seed: 1, baseline: 100, candidate: Infinity },
      { seed: 2, baseline: Infinity, candidate: 100 },
      { seed: 3, baseline: Infinity, candidate: Infinity },
    ]);
    expect(differencesOf(blocks, ratio('cells'))).toEqual([Infinity, -Infinity]);
    expect(unitsOf(blocks, ratio('cells'))).toMatchObject({ blocks: 3, missing: 0, censored: 3 });
  });

  it('missing blocks: are counted and left out, those that the candidate lost apart', () => {
    const blocks = blockPairs([
      { seed: 1, baseline: 100, candidate: null },
      { seed: 2, baseline: null, candidate: 100 },
      { seed: 3, baseline: 100, candidate: 100 },
    ]);
    expect(unitsOf(blocks, ratio('cells'))).toMatchObject({ blocks: 3, missing: 2, lost: 1 });
    expect(differencesOf(blocks, ratio('cells'))).toEqual([0]);
    expect(differencesOf(blocks, ratio('cells'), () => Infinity)).toEqual([Infinity, 0]);
  });

  it('values of 0: have a difference, and a ratio that is infinite where only one side is 0', () => {
    const blocks = blockPairs([{ baseline: 0, candidate: 5 }]);
    expect(differencesOf(blocks, { kind: 'cells', effect: 'difference' })).toEqual([5]);
    const ratioOf = (baseline: number, candidate: number) =>
      unitsOf(blockPairs([{ baseline, candidate }]), ratio('cells')).units.map(({ difference }) => difference);
    expect([ratioOf(0, 5), ratioOf(5, 0), ratioOf(0, 0)]).toEqual([[Infinity], [-Infinity], [0]]);
    expect(unitsOf(blocks, ratio('cells'))).toMatchObject({ missing: 0, lost: 0, censored: 0 });
  });

  it('sides exchanged: every unit changes its sign', () => {
    const value = fc.oneof(fc.double({ min: 1, max: 1e6, noNaN: true }), fc.constant(Infinity), fc.constant(null));
    const block = fc.record({ seed: fc.integer({ min: 1, max: 4 }), baseline: value, candidate: value });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 20 }), fc.constantFrom<UnitKind>('cells', 'rounds'), (blocks, kind) => {
        const there = unitsOf(blockPairs(blocks), ratio(kind));
        const back = unitsOf(
          blockPairs(blocks.map((each) => ({ ...each, baseline: each.candidate, candidate: each.baseline }))),
          ratio(kind),
        );
        expect(back.units.map(({ key }) => key)).toEqual(there.units.map(({ key }) => key));
        for (const [at, { difference }] of there.units.entries()) {
          expect(back.units[at]?.difference ?? NaN).toBeCloseTo(-difference, 9);
        }
      }),
    );
  });
});
