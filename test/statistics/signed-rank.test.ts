import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewestForSignedRank, signedRank, smallestSignedRankP } from '../../src/statistics/signed-rank.ts';

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
  it('signedRank is exact with ties and zeros, as all signs tried say', () => {
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

  it('signedRank says nothing of nothing', () => {
    expect(signedRank([], 'greater')).toEqual({ n: 0, rankSum: 0, p: 1, method: 'exact' });
    expect(signedRank([0, 0], 'two-sided')).toEqual({ n: 0, rankSum: 0, p: 1, method: 'exact' });
  });

  it('signedRank reaches one-sided 1 % from 7 differences on', () => {
    const rising = (n: number) => Array.from({ length: n }, (_, at) => at + 1);
    expect(signedRank(rising(6), 'greater').p).toBeGreaterThan(0.01);
    expect(signedRank(rising(7), 'greater').p).toBe(1 / 128);
  });

  it('signedRank gives infinite differences the highest rank, shared either way', () => {
    // Ranks 1, 2 and three times 4: 1 + 2 + 4 + 4 above 0.
    expect(signedRank([1, 2, Infinity, -Infinity, Infinity], 'greater')).toMatchObject({ n: 5, rankSum: 11 });
    const finite = [3, -1, 2, 5, -4];
    for (const side of ['greater', 'less', 'two-sided'] as const) {
      const lost = [...finite, Infinity, -Infinity, Infinity];
      expect(signedRank(lost, side)).toEqual(signedRank([...finite, 99, -99, 99], side));
      expect(signedRank(lost, side, 1.3)).toEqual(signedRank([...finite.map((each) => each - 1.3), 99, -99, 99], side));
    }
  });

  it('signedRank looks at differences less the shift, and drops those equal to it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 })), fc.integer({ min: -5, max: 5 }), (differences, shift) => {
        const moved = differences.map((each) => each + shift);
        expect(signedRank(moved, 'greater', shift)).toEqual(signedRank(differences, 'greater'));
      }),
    );
  });

  it('signedRank cannot give a smaller p than 2^-n', () => {
    for (const n of [0, 1, 5, 20, 50]) {
      const p = smallestSignedRankP(n);
      expect(p).toBe(2 ** -n);
      expect(
        signedRank(
          Array.from({ length: n }, (_, at) => at + 1),
          'greater',
        ).p,
      ).toBe(p);
    }
    const many = Array.from({ length: 80 }, (_, at) => at + 1);
    expect(signedRank(many, 'greater').p).toBe(smallestSignedRankP(80));
  });

  it('signedRank needs 5, 6, 8 and 9 units for a 5 % shared by 1, 3, 7 and 20 tests', () => {
    expect([1, 3, 7, 20].map((m) => fewestForSignedRank(0.05 / m))).toEqual([5, 6, 8, 9]);
    expect(fewestForSignedRank(1)).toBe(0);
    expect(() => fewestForSignedRank(0)).toThrow(RangeError);
  });

  it('signedRank refuses NaN and an infinite shift', () => {
    expect(() => signedRank([1, Number.NaN], 'greater')).toThrow(/NaN/);
    expect(() => signedRank([1], 'greater', Infinity)).toThrow(/shift/);
  });
});
