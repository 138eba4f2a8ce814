import { describe, expect, it } from 'vitest';
import { decideIncrease, type IncreaseRule, weighIncrease } from '../../../../src/analysis/gate/bounds/change.ts';
import type { BlockPair } from '../../../../src/analysis/pair-units.ts';
import { blockPairs, cellPairs } from '../../../fixtures/block-pairs.ts';

const FIVE_PERCENT: IncreaseRule = { effect: 'ratio', units: 'cells', worse: 'increase', limit: 0.05 };

function decide(blocks: readonly BlockPair<number>[], rule: IncreaseRule = FIVE_PERCENT, comparisons = 1) {
  const evidence = weighIncrease(blocks, rule, 0.05);
  const { p } = evidence.test;
  return decideIncrease(evidence, p === null ? null : Math.min(1, comparisons * p), 0.05);
}

/** Within 1 % of a ratio, in a fixed pattern. */
const around = (ratio: number) => (cell: number, repeat: number) =>
  ratio * (1 + ((cell * 7 + repeat * 3) % 5) / 200 - 0.01);

describe('max_increase', () => {
  it('equal variants: pass', () => {
    expect(decide(cellPairs(12, around(1)))).toEqual({ verdict: 'pass', code: 'within_limit' });
  });

  it('a change above the limit in every cell pair: fails', () => {
    expect(decide(cellPairs(12, around(1.2)))).toEqual({ verdict: 'fail', code: 'beyond_limit' });
  });

  it('the same change in a gate of many comparisons: fails only while its adjusted p allows it', () => {
    expect(decide(cellPairs(5, around(1.2))).verdict).toBe('fail');
    expect(decide(cellPairs(5, around(1.2)), FIVE_PERCENT, 3)).toEqual({
      verdict: 'inconclusive',
      code: 'not_significant',
    });
  });

  it('an estimate within the limit and a wide spread: nothing is decided', () => {
    const wide = cellPairs(8, (cell) => (cell % 2 === 0 ? 0.7 : 1.4));
    expect(decide(wide)).toEqual({ verdict: 'inconclusive', code: 'limit_not_excluded' });
  });

  it('too few cell pairs for a bound: nothing is decided, however alike', () => {
    expect(decide(cellPairs(4, around(1)))).toEqual({ verdict: 'inconclusive', code: 'too_few_units' });
    expect(decide([])).toEqual({ verdict: 'inconclusive', code: 'nothing_to_count' });
  });

  it('time-outs of the candidate: are slower than everything', () => {
    expect(decide(cellPairs(12, () => Infinity))).toEqual({ verdict: 'fail', code: 'beyond_limit' });
  });

  it('failures of the candidate: a pass must hold with each of them as slow as can be', () => {
    // Two of three takes of six cell pairs are lost: only 12 blocks in 60 are.
    const lost = cellPairs(20, (cell, repeat) => (cell < 6 && repeat < 2 ? null : 1));
    expect(decide(lost)).toEqual({ verdict: 'inconclusive', code: 'lost_blocks' });
    const few = cellPairs(20, (cell, repeat) => (cell < 2 && repeat === 0 ? null : 1));
    expect(decide(few).verdict).toBe('pass');
  });

  it('more than a fifth of the blocks without a value: nothing passes', () => {
    const missing = cellPairs(20, (cell, repeat) => (repeat === 0 && cell < 13 ? null : 1));
    expect(decide(missing)).toEqual({ verdict: 'inconclusive', code: 'too_many_missing' });
  });

  it('failures of the baseline: are missing, and no reason against a pass', () => {
    const blocks = cellPairs(20, around(1)).map((block, at) => (at < 6 ? { ...block, baseline: null } : block));
    expect(decide(blocks).verdict).toBe('pass');
  });
});

describe('max_decrease', () => {
  const rule: IncreaseRule = { effect: 'ratio', units: 'cells', worse: 'decrease', limit: 0.05 };

  it('max_decrease mirrors max_increase: what fell fails, what rose passes', () => {
    expect(decide(cellPairs(12, around(0.8)), rule).verdict).toBe('fail');
    expect(decide(cellPairs(12, around(1)), rule).verdict).toBe('pass');
    expect(decide(cellPairs(12, around(1.3)), rule).verdict).toBe('pass');
  });

  it('what the candidate lost: counts as fallen, not as risen', () => {
    const lost = cellPairs(20, (cell, repeat) => (cell < 6 && repeat < 2 ? null : 1));
    expect(decide(lost, rule)).toEqual({ verdict: 'inconclusive', code: 'lost_blocks' });
  });
});

describe('max_increase of a difference', () => {
  const rule: IncreaseRule = { effect: 'difference', units: 'cells', worse: 'increase', limit: 2 };

  it('values of 0 and below: are compared in the unit of the metric', () => {
    const by = (amount: number) =>
      blockPairs(
        Array.from({ length: 12 }, (_, seed) => ({ seed, baseline: -1, candidate: -1 + amount + seed / 100 })),
      );
    expect(decide(by(0), rule).verdict).toBe('pass');
    expect(decide(by(5), rule).verdict).toBe('fail');
  });
});
