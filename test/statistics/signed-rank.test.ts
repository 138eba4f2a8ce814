import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signedRank } from '../../src/statistics/signed-rank.ts';

/** All signs of the sizes found, tried one after the other: what the exact p is by definition. */
function enumerated(differences: readonly number[]): { atLeast: number; atMost: number } {
  const sizes = differences.filter((each) => each !== 0).map(Math.abs);
  const rank = (size: number) =>
    sizes.filter((other) => other < size).length + (sizes.filter((other) => other === size).length + 1) / 2;
  const ranks = sizes.map(rank);
  const observed = differences.filter((each) => each > 0).reduce((total, each) => total + rank(each), 0);
  const all = 2 ** sizes.length;
  let atLeast = 0;
  let atMost = 0;
  for (let signs = 0; signs < all; signs += 1) {
    const sum = ranks.reduce((total, each, at) => total + (signs & (1 << at) ? each : 0), 0);
    if (sum >= observed) atLeast += 1;
    if (sum <= observed) atMost += 1;
  }
  return { atLeast: atLeast / all, atMost: atMost / all };
}

describe('signedRank', () => {
  it('is exact with ties and zeros, as all signs tried say', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 11 }), (differences) => {
        const { atLeast, atMost } = enumerated(differences);
        expect(signedRank(differences, 'greater').p).toBeCloseTo(atLeast, 12);
        expect(signedRank(differences, 'less').p).toBeCloseTo(atMost, 12);
        expect(signedRank(differences, 'two-sided').p).toBeCloseTo(Math.min(1, 2 * Math.min(atLeast, atMost)), 12);
      }),
      { numRuns: 300 },
    );
  });

  it('says nothing of nothing', () => {
    expect(signedRank([], 'greater')).toEqual({ n: 0, rankSum: 0, p: 1, method: 'exact' });
    expect(signedRank([0, 0], 'two-sided')).toEqual({ n: 0, rankSum: 0, p: 1, method: 'exact' });
  });

  it('reaches one-sided 1 % from 7 differences on', () => {
    const rising = (n: number) => Array.from({ length: n }, (_, at) => at + 1);
    expect(signedRank(rising(6), 'greater').p).toBeGreaterThan(0.01);
    expect(signedRank(rising(7), 'greater').p).toBe(1 / 128);
  });

  it('refuses NaN', () => {
    expect(() => signedRank([1, Number.NaN], 'greater')).toThrow(/NaN/);
  });
});
