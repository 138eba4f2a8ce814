import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alphasOf } from '../../src/gate/planned-reach.ts';
import { smallestSignedRankP } from '../../src/statistics/signed-rank.ts';

describe('the error rate of looks', () => {
  it('a gate that is decided once: takes all of it', () => {
    expect(alphasOf(null)).toEqual([0.05]);
  });

  it('looks at concurrency 1: take equal parts, but for those that come after too few blocks', () => {
    expect(alphasOf({ unit: 'blocks', units: [24, 48, 72, 96] })).toEqual([0.0125, 0.0125, 0.0125, 0.0125]);
    // Four blocks give a p of 1/16 at best.
    expect(alphasOf({ unit: 'blocks', units: [4, 8] })).toEqual([0, 0.05]);
  });

  it('looks above concurrency 1: take the increments of O’Brien and Fleming’s spending, from the first that can decide on', () => {
    const alphas = alphasOf({ unit: 'rounds', units: [3, 6, 9, 15] });
    expect(alphas.slice(0, 2)).toEqual([0, 0]);
    // 2 - 2 Phi(1.95996 / sqrt(9 / 15)) = 2 - 2 Phi(2.53030)
    expect(alphas[2]).toBeCloseTo(0.011396, 6);
    expect(alphas[3]).toBeCloseTo(0.05 - 0.011396, 6);
    expect(alphasOf({ unit: 'rounds', units: [0, 0] })).toEqual([0, 0.05]);
  });

  it('looks of any plan: add up to the error rate, and those that take some of it can decide', () => {
    const parts = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(parts, fc.constantFrom('blocks', 'rounds'), (sizes, unit) => {
        const units = sizes.map((_size, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0));
        const alphas = alphasOf({ unit, units });
        expect(alphas.reduce((sum, alpha) => sum + alpha, 0)).toBeCloseTo(0.05, 12);
        for (const [at, alpha] of alphas.slice(0, -1).entries()) {
          if (alpha > 0) expect(smallestSignedRankP(units[at] ?? 0)).toBeLessThanOrEqual(alpha);
        }
      }),
    );
  });
});
