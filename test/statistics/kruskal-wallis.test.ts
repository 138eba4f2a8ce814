import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KruskalWallis, kruskalWallis } from '../../src/statistics/kruskal-wallis.ts';
import { createRandom } from '../../src/statistics/random.ts';

const value = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(Infinity, -Infinity));
const groups = fc.array(fc.array(value, { minLength: 2, maxLength: 4 }), { minLength: 2, maxLength: 4 });

function tested(found: KruskalWallis): { readonly statistic: number; readonly p: number } {
  return found.code === 'tested' ? found : { statistic: Number.NaN, p: Number.NaN };
}

describe('kruskalWallis', () => {
  it('kruskalWallis finds groups that lie apart, and not those that do not', () => {
    const apart = [0, 10, 20, 30].map((level) => [1, 2, 3, 4, 5].map((step) => level + step));
    const mixed = [0, 1, 2, 3].map((first) => [1, 2, 3, 4, 5].map((step) => first + 4 * step));
    expect(kruskalWallis(apart, 0.01)).toMatchObject({ code: 'tested', p: 1e-4, method: 'permutation' });
    expect(tested(kruskalWallis(mixed, 0.01)).p).toBeGreaterThan(0.8);
  });

  it('kruskalWallis is not testable where 1 % is out of reach', () => {
    expect(
      kruskalWallis(
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        0.01,
      ),
    ).toEqual({ code: 'not_testable', because: 'out_of_reach', smallestP: 6 / 90 });
    expect(
      kruskalWallis(
        [
          [1, 2],
          [3, 4],
          [5, 6],
          [7, 8],
        ],
        0.01,
      ),
    ).toMatchObject({ code: 'tested', p: 24 / 2520 });
    expect(kruskalWallis([Array<number>(9).fill(1), Array<number>(9).fill(1)], 0.01)).toMatchObject({ smallestP: 1 });
  });

  it('kruskalWallis is not testable with a group of one value, nor without a second group', () => {
    expect(kruskalWallis([], 0.01)).toMatchObject({ because: 'too_few_groups' });
    expect(kruskalWallis([[1, 2, 3], []], 0.01)).toMatchObject({ because: 'too_few_groups' });
    expect(kruskalWallis([[1, 2, 3], [4]], 0.01)).toMatchObject({ because: 'group_of_one' });
  });

  it('kruskalWallis keeps to its level: at most 5 % of series without a difference have a p of at most 5 %', () => {
    const random = createRandom(7);
    let found = 0;
    for (let run = 0; run < 1000; run += 1) {
      const values = Array.from({ length: 8 }, random.uniform);
      if (tested(kruskalWallis([values.slice(0, 4), values.slice(4)], 0.05)).p <= 0.05) found += 1;
    }
    // 5 % of 1000 and four standard deviations of their number.
    expect(found).toBeLessThan(78);
  });

  it('kruskalWallis looks at the order of values alone, not at that of groups nor at their scale', () => {
    fc.assert(
      fc.property(groups, (each) => {
        const found = kruskalWallis(each, 1);
        const moved = kruskalWallis(each.map((group) => group.map((one) => 3 * one + 7).reverse()).reverse(), 1);
        const turned = kruskalWallis(
          each.map((group) => group.map((one) => -one)),
          1,
        );
        for (const other of [moved, turned]) {
          expect(other.code).toBe(found.code);
          if (Number.isNaN(tested(found).statistic)) continue;
          expect(tested(other).statistic).toBeCloseTo(tested(found).statistic, 10);
          // Drawn deals differ with the order of groups.
          expect(Math.abs(tested(other).p - tested(found).p)).toBeLessThan(0.03);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('kruskalWallis gives the same p each time', () => {
    const each = [0, 1, 2].map((first) => [0.3, 2.1, 4.7, 5.2, 9.1, 3.3].map((one) => one * (1 + first / 2)));
    expect(kruskalWallis(each, 0.01)).toEqual(kruskalWallis(each, 0.01));
  });

  it('kruskalWallis refuses NaN', () => {
    expect(() =>
      kruskalWallis(
        [
          [1, 2],
          [Number.NaN, 3],
        ],
        0.01,
      ),
    ).toThrow(/NaN/);
  });
});
