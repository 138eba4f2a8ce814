import { describe, expect, it } from 'vitest';
import { decideRise, type RiseRule, weighRise } from '../../../../src/analysis/gate/bounds/rise.ts';
import type { BlockPair } from '../../../../src/analysis/pair-units.ts';
import { blockPairs } from '../../../fixtures/block-pairs.ts';

const FIVE_POINTS: RiseRule = { units: 'cells', limit: 0.05 };

function decide(blocks: readonly BlockPair<boolean>[], rule: RiseRule = FIVE_POINTS) {
  const evidence = weighRise(blocks, rule, 0.05);
  return decideRise(evidence, evidence.p, 0.05);
}

/** n blocks: the first `candidate` have the event on that side, the last `baseline` on the other. */
function blocks(n: number, candidate: number, baseline = 0, rounds = n): readonly BlockPair<boolean>[] {
  return blockPairs(
    Array.from({ length: n }, (_, at) => ({
      seed: at,
      round: String(at % rounds),
      baseline: at >= n - baseline,
      candidate: at < candidate,
    })),
  );
}

describe('max_rise', () => {
  it('no event on either side: passes where the blocks are enough to exclude three times the limit', () => {
    expect(decide(blocks(60, 0))).toEqual({ verdict: 'pass', code: 'within_limit' });
    expect(decide(blocks(10, 0))).toEqual({ verdict: 'inconclusive', code: 'limit_not_excluded' });
  });

  it('events on both sides alike: are no rise', () => {
    expect(decide(blocks(100, 10, 10)).verdict).not.toBe('fail');
  });

  it('a rise far above the limit: fails', () => {
    expect(decide(blocks(60, 20))).toEqual({ verdict: 'fail', code: 'beyond_limit' });
  });

  it('a rise just above the limit: is not significant', () => {
    expect(decide(blocks(60, 5))).toEqual({ verdict: 'inconclusive', code: 'not_significant' });
  });

  it('above concurrency 1: rounds are the units, so that a single round decides nothing', () => {
    const rule: RiseRule = { units: 'rounds', limit: 0.05 };
    expect(decide(blocks(60, 60, 0, 12), rule).verdict).toBe('fail');
    expect(decide(blocks(60, 60, 0, 1), rule)).toEqual({ verdict: 'inconclusive', code: 'too_few_units' });
  });

  it('above concurrency 1: events of a few rounds say less than the same events of many', () => {
    const rule: RiseRule = { units: 'rounds', limit: 0.05 };
    const together = blocks(120, 16, 0).map((block, at) => ({ ...block, round: String(Math.floor(at / 8)) }));
    expect(decide(blocks(120, 16, 0, 15), rule)).toEqual({ verdict: 'fail', code: 'beyond_limit' });
    expect(decide(together, rule)).toEqual({ verdict: 'inconclusive', code: 'not_significant' });
  });

  it('above concurrency 1: one round with events among rounds without any does not fail what it did by the median', () => {
    // 3 events in 120 blocks, as a candidate within the limit has them; 12 of 15 rounds have none.
    const few = blocks(120, 3, 0, 15);
    expect(decide(few, { units: 'rounds', limit: 0.05 })).toEqual({ verdict: 'pass', code: 'within_limit' });
  });

  it('blocks that the candidate lost: count as events before anything passes', () => {
    const some = blocks(60, 0).map((block, at) => (at < 11 ? { ...block, candidate: null } : block));
    expect(decide(some)).toEqual({ verdict: 'inconclusive', code: 'lost_blocks' });
    const many = blocks(60, 0).map((block, at) => (at < 20 ? { ...block, candidate: null } : block));
    expect(decide(many)).toEqual({ verdict: 'inconclusive', code: 'too_many_missing' });
  });

  it('a limit of a third: passes, since no rate rises by 100 points or more', () => {
    expect(decide(blocks(60, 0), { units: 'cells', limit: 1 / 3 }).verdict).toBe('pass');
  });

  it('no block: nothing to count', () => {
    expect(decide([])).toEqual({ verdict: 'inconclusive', code: 'nothing_to_count' });
  });
});
