import { describe, expect, it } from 'vitest';
import type { BlockPair } from '../../../src/analysis/pair-units.ts';
import { decideNone } from '../../../src/gate/bounds/events.ts';
import { decideBound } from '../../../src/gate/bounds/value.ts';
import { decideChange, type LimitedChange, weighChange } from '../../../src/gate/bounds/worsening.ts';
import { blockPairs, cellPairs } from '../../fixtures/block-pairs.ts';

const FIVE_PERCENT: LimitedChange = { effect: 'ratio', kind: 'cells', worse: 'increase', limit: 0.05 };

function decide(blocks: readonly BlockPair[], rule: LimitedChange = FIVE_PERCENT, comparisons = 1) {
  const evidence = weighChange(blocks, rule, 0.05);
  const { p } = evidence;
  return decideChange(evidence, p === null ? null : Math.min(1, comparisons * p), 0.05);
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
  const rule: LimitedChange = { effect: 'ratio', kind: 'cells', worse: 'decrease', limit: 0.05 };

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
  const rule: LimitedChange = { effect: 'difference', kind: 'cells', worse: 'increase', limit: 2 };

  it('values of 0 and below: are compared in the unit of the metric', () => {
    const by = (amount: number) =>
      blockPairs(
        Array.from({ length: 12 }, (_, seed) => ({ seed, baseline: -1, candidate: -1 + amount + seed / 100 })),
      );
    expect(decide(by(0), rule).verdict).toBe('pass');
    expect(decide(by(5), rule).verdict).toBe('fail');
  });
});

const between = (low: number, high: number) => ({ value: (low + high) / 2, n: 36, range: { low, high }, level: 0.95 });

describe('max and min', () => {
  it.each([
    ['max', between(0.01, 0.1), 'pass'],
    ['max', between(0.25, 0.5), 'fail'],
    ['max', between(0.1, 0.3), 'inconclusive'],
    ['min', between(0.25, 0.5), 'pass'],
    ['min', between(0.01, 0.1), 'fail'],
    ['min', between(0.1, 0.3), 'inconclusive'],
  ] as const)('%s of 0.2 against a whole range: %o gives %s', (is, found, verdict) => {
    expect(decideBound(found, { is, value: 0.2 }).verdict).toBe(verdict);
  });

  it('a range that ends at the bound: is within it', () => {
    expect(decideBound(between(0, 0.2), { is: 'max', value: 0.2 }).verdict).toBe('pass');
  });

  it('an open end: never passes', () => {
    expect(decideBound(between(0, Infinity), { is: 'max', value: 20_000 }).verdict).toBe('inconclusive');
  });

  it('no take, or too few for a bound: nothing is decided', () => {
    expect(decideBound({ value: null, n: 0, range: null, level: 0.95 }, { is: 'max', value: 1 }).verdict).toBe(
      'inconclusive',
    );
    expect(decideBound({ value: 0.5, n: 3, range: null, level: 0.95 }, { is: 'max', value: 1 })).toEqual({
      verdict: 'inconclusive',
      code: 'no_interval',
    });
    const unbounded = { value: 84, n: 3, range: { low: -Infinity, high: Infinity }, level: 0.95 };
    expect(decideBound(unbounded, { is: 'min', value: 0.0001 })).toMatchObject({ code: 'no_interval' });
  });
});

describe('max and min of what is counted', () => {
  it('a value that is counted: passes at its bound, and spans one only for costs that nobody knows', () => {
    const counted = (high: number) => ({ value: 0.02, n: 57, range: { low: 0.02, high }, level: null });
    expect(decideBound(counted(0.02), { is: 'max', value: 0.02 }).verdict).toBe('pass');
    expect(decideBound(counted(Infinity), { is: 'max', value: 0.05 })).toEqual({
      verdict: 'inconclusive',
      code: 'unknown_cost',
    });
  });
});

describe('none', () => {
  it('one event: fails; none: passes; nothing that could have been one: nothing is decided', () => {
    expect(decideNone({ events: 1, n: 36 }).verdict).toBe('fail');
    expect(decideNone({ events: 0, n: 36 }).verdict).toBe('pass');
    expect(decideNone({ events: 0, n: 0 }).verdict).toBe('inconclusive');
  });
});

describe('rise', () => {
  const FIVE_POINTS: LimitedChange = { effect: 'rate', kind: 'cells', worse: 'increase', limit: 0.05 };
  const OVER_ROUNDS: LimitedChange = { ...FIVE_POINTS, kind: 'rounds' };

  const decideRise = (blocks: readonly BlockPair[], rule = FIVE_POINTS) => decide(blocks, rule);

  /** n blocks: the first `candidate` have the event on that side, the last `baseline` on the other. */
  function blocks(n: number, candidate: number, baseline = 0, rounds = n): readonly BlockPair[] {
    return blockPairs(
      Array.from({ length: n }, (_, at) => ({
        seed: at,
        round: String(at % rounds),
        baseline: Number(at >= n - baseline),
        candidate: Number(at < candidate),
      })),
    );
  }

  describe('max_rise', () => {
    it('no event on either side: passes where the blocks are enough to exclude three times the limit', () => {
      expect(decideRise(blocks(60, 0))).toEqual({ verdict: 'pass', code: 'within_limit' });
      expect(decideRise(blocks(10, 0))).toEqual({ verdict: 'inconclusive', code: 'limit_not_excluded' });
    });

    it('events on both sides alike: are no rise', () => {
      expect(decideRise(blocks(100, 10, 10)).verdict).not.toBe('fail');
    });

    it('a rise far above the limit: fails', () => {
      expect(decideRise(blocks(60, 20))).toEqual({ verdict: 'fail', code: 'beyond_limit' });
    });

    it('a rise just above the limit: is not significant', () => {
      expect(decideRise(blocks(60, 5))).toEqual({ verdict: 'inconclusive', code: 'not_significant' });
    });

    it('above concurrency 1: rounds are the units, so that a single round decides nothing', () => {
      expect(decideRise(blocks(60, 60, 0, 12), OVER_ROUNDS).verdict).toBe('fail');
      expect(decideRise(blocks(60, 60, 0, 1), OVER_ROUNDS)).toEqual({ verdict: 'inconclusive', code: 'too_few_units' });
    });

    it('above concurrency 1: events of a few rounds say less than the same events of many', () => {
      const together = blocks(120, 16, 0).map((block, at) => ({ ...block, round: String(Math.floor(at / 8)) }));
      expect(decideRise(blocks(120, 16, 0, 15), OVER_ROUNDS)).toEqual({ verdict: 'fail', code: 'beyond_limit' });
      expect(decideRise(together, OVER_ROUNDS)).toEqual({ verdict: 'inconclusive', code: 'not_significant' });
    });

    it('above concurrency 1: one round with events among rounds without any does not fail what it did by the median', () => {
      // 3 events in 120 blocks, as a candidate within the limit has them; 12 of 15 rounds have none.
      const few = blocks(120, 3, 0, 15);
      expect(decideRise(few, OVER_ROUNDS)).toEqual({ verdict: 'pass', code: 'within_limit' });
    });

    it('blocks that the candidate lost: count as events before anything passes', () => {
      const some = blocks(60, 0).map((block, at) => (at < 11 ? { ...block, candidate: null } : block));
      expect(decideRise(some)).toEqual({ verdict: 'inconclusive', code: 'lost_blocks' });
      const many = blocks(60, 0).map((block, at) => (at < 20 ? { ...block, candidate: null } : block));
      expect(decideRise(many)).toEqual({ verdict: 'inconclusive', code: 'too_many_missing' });
    });

    it('a limit of a third: passes, since no rate rises by 100 points or more', () => {
      expect(decideRise(blocks(60, 0), { ...FIVE_POINTS, limit: 1 / 3 }).verdict).toBe('pass');
    });

    it('no block: nothing to count', () => {
      expect(decideRise([])).toEqual({ verdict: 'inconclusive', code: 'nothing_to_count' });
    });
  });
});
