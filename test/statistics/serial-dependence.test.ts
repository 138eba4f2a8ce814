import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KruskalWallis, kruskalWallis } from '../../src/statistics/kruskal-wallis.ts';
import { median, sortSample } from '../../src/statistics/quantile.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { dependenceTime, integratedTime } from '../../src/statistics/serial-dependence.ts';
import { autoregressive } from '../fixtures/simulated-service.ts';

/** The same by sums over all pairs, as the definition reads. */
function directTime(values: readonly number[]): number {
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  const product = (lag: number): number =>
    values.slice(lag).reduce((total, value, at) => total + (value - mean) * ((values[at] ?? 0) - mean), 0);
  if (product(0) === 0) return 1;
  let [total, before] = [0, Infinity];
  for (let lag = 0; lag + 1 < values.length; lag += 2) {
    const pair = Math.min(before, (product(lag) + product(lag + 1)) / product(0));
    if (pair <= 1e-12) break;
    total += pair;
    before = pair;
  }
  return Math.max(1, 2 * total - 1);
}

describe('the integrated autocorrelation time', () => {
  it('the integrated autocorrelation time is that of direct sums', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 3, maxLength: 150 }), (values) => {
        // A pair of sums next to 0 is above or below it by rounding alone: it adds nothing either way.
        expect(integratedTime(values)).toBeCloseTo(directTime(values), 6);
      }),
    );
  });

  it('the integrated autocorrelation time of autoregressive series is (1 + r) / (1 - r) within 10 %', () => {
    for (const r of [0.3, 0.6, 0.9]) {
      const times = [1, 2, 3, 4].map((seed) => integratedTime(autoregressive(10_000, r, createRandom(seed))));
      const mean = times.reduce((total, time) => total + time, 0) / times.length;
      expect(mean / ((1 + r) / (1 - r))).toBeGreaterThan(0.9);
      expect(mean / ((1 + r) / (1 - r))).toBeLessThan(1.1);
    }
  });
});

describe('the time for which values depend on those before', () => {
  it('dependence lasts for one value in half of all independent series, and where all are equal', () => {
    for (const n of [12, 36, 144, 600]) {
      const times = Array.from({ length: 60 }, (_, seed) => dependenceTime(autoregressive(n, 0, createRandom(seed))));
      expect(median(sortSample(times))).toBeLessThan(1.1);
    }
    expect(dependenceTime([])).toBe(1);
    expect(dependenceTime(new Array(50).fill(7))).toBe(1);
    expect(dependenceTime([1, Infinity, 1, 1, Infinity])).toBeGreaterThanOrEqual(1);
  });

  it('dependence outlasts what neighbours show, where slow stretches come over fast calls', () => {
    const random = createRandom(5);
    // Calls vary by themselves; beneath, the service is slower for 100 calls of every 400.
    const values = Array.from({ length: 2400 }, (_, at) => (at % 400 < 100 ? 1 : 0) + random.uniform());
    expect(dependenceTime(values)).toBeGreaterThan(50);
  });
});

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
