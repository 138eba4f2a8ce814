import { describe, expect, it } from 'vitest';
import { binomialPmf } from '../../src/statistics/distributions.ts';
import {
  fewestForInterval,
  quantileInterval,
  rankInterval,
  sortSample,
  widenedRankInterval,
} from '../../src/statistics/quantile.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { clopperPearson, clopperPearsonLower, clopperPearsonUpper } from '../../src/statistics/rate-interval.ts';
import { falseBounds, quantileCoverage, rateCoverage } from '../fixtures/interval-coverage.ts';
import { NIGHTLY } from '../test-options.ts';

/** Simulated runs of each setting. */
const ROUNDS = NIGHTLY ? 2000 : 100;

/** Three standard errors of a share that is simulated so often. */
const error = (share: number) => 3 * Math.sqrt((share * (1 - share)) / ROUNDS);

/** P(B = k) x 100^n for B ~ Binomial(n, percent / 100), k = 0 to n: whole numbers, nothing rounded. */
function exactDistribution(n: number, percent: number): bigint[] {
  const terms: bigint[] = [];
  let choose = 1n;
  for (let k = 0; k <= n; k += 1) {
    terms.push(choose * BigInt(percent) ** BigInt(k) * BigInt(100 - percent) ** BigInt(n - k));
    choose = (choose * BigInt(n - k)) / BigInt(k + 1);
  }
  return terms;
}

/** Whether P(low <= B <= high - 1) >= 95 %, decided in whole numbers. */
function covers(terms: readonly bigint[], low: number, high: number): boolean {
  const inside = terms.slice(low, high).reduce((total, term) => total + term, 0n);
  const all = terms.reduce((total, term) => total + term, 0n);
  return 100n * inside >= 95n * all;
}

describe('the interval of a quantile', () => {
  it('the interval of a quantile covers 95 % to the last digit, and no pair of fewer ranks does', () => {
    for (const percent of [50, 90, 95, 99]) {
      for (const n of [...Array.from({ length: 64 }, (_, i) => i + 2), 100, 299, 300]) {
        const terms = exactDistribution(n, percent);
        const found = rankInterval(n, percent, 0.95);
        expect(found !== null).toBe(covers(terms, 1, n));
        if (found === null) continue;
        expect(covers(terms, found.lowRank, found.highRank)).toBe(true);
        const width = found.highRank - found.lowRank;
        for (let low = 1; low + width - 1 <= n; low += 1) expect(covers(terms, low, low + width - 1)).toBe(false);
        for (let low = 1; low < found.lowRank; low += 1) expect(covers(terms, low, low + width)).toBe(false);
      }
    }
  });

  it('the interval of a quantile exists from 6, 29, 59 and 299 values on', () => {
    for (const [percent, fewest] of [
      [50, 6],
      [90, 29],
      [95, 59],
      [99, 299],
    ] as const) {
      expect(fewestForInterval(percent, 0.95)).toBe(fewest);
      expect(rankInterval(fewest - 1, percent, 0.95)).toBeNull();
      expect(rankInterval(fewest, percent, 0.95)).not.toBeNull();
    }
  });

  it('the interval of a quantile has the values at its ranks as ends, a censored one among them', () => {
    const sample = sortSample([30, 10, 20, 50, 40, Infinity]);
    expect(quantileInterval(sample, 50, 0.95)).toMatchObject({ low: 10, high: Infinity, lowRank: 1, highRank: 6 });
    expect(quantileInterval(sortSample([1, 2, 3, 4, 5]), 50, 0.95)).toBeNull();
    expect(quantileInterval(sortSample([]), 50, 0.95)).toBeNull();
  });
});

describe('the interval of a quantile of takes that depend on those before', () => {
  it.each([0, 0.3, 0.6])(
    'the interval of a quantile covers 95 % of medians of 36 dependent takes at an autocorrelation of %d, by wider ranks',
    (r) => {
      const found = quantileCoverage(36, 50, r, ROUNDS, createRandom(15));
      expect(found.holds / found.of).toBeGreaterThanOrEqual(0.95 - error(0.95));
      if (r >= 0.6) expect(found.plainHolds / found.plainOf).toBeLessThan(0.95 - error(0.95));
    },
  );

  it('the interval of a quantile is that of independent takes where all count, and never narrower where fewer do', () => {
    for (const n of [6, 12, 36, 100]) {
      const plain = rankInterval(n, 50, 0.95);
      expect(widenedRankInterval(n, n, 50, 0.95)).toEqual(plain);
      for (let effective = n - 0.5; effective >= 6; effective -= 0.5) {
        const wider = widenedRankInterval(n, effective, 50, 0.95);
        expect(wider?.lowRank).toBeGreaterThanOrEqual(1);
        expect(wider?.highRank).toBeLessThanOrEqual(n);
        const ranks = (wider?.highRank ?? 0) - (wider?.lowRank ?? n);
        expect(ranks).toBeGreaterThanOrEqual((plain?.highRank ?? 0) - (plain?.lowRank ?? 0));
      }
      expect(widenedRankInterval(n, 5.9, 50, 0.95)).toBeNull();
    }
  });

  it('the interval of a quantile has the ranks of as many takes as a quotient stands for, however it is rounded', () => {
    for (const n of [24, 36, 40, 144]) {
      for (const whole of [6, 8, 12]) {
        expect(widenedRankInterval(n, whole * (1 - 2e-16), 50, 0.95)).toEqual(widenedRankInterval(n, whole, 50, 0.95));
      }
    }
    // Ranks 1 and 7 of 8 takes that stand for 3 each: 3 x 1/2 + 1/2 and 3 x 13/2 + 1/2.
    expect(widenedRankInterval(24, 8, 50, 0.95)).toMatchObject({ lowRank: 2, highRank: 20 });
  });
});

describe('the permutation test of dependence', () => {
  it('the permutation test of dependence warns of 1 % of independent series, and of nearly all that carry over 60 % from take to take', () => {
    const independent = quantileCoverage(36, 50, 0, ROUNDS, createRandom(16));
    expect(independent.warned / ROUNDS).toBeLessThanOrEqual(0.01 + error(0.01));
    const dependent = quantileCoverage(72, 50, 0.6, ROUNDS, createRandom(17));
    expect(dependent.warned / ROUNDS).toBeGreaterThan(0.85);
  });
});

describe('the interval of a rate', () => {
  it.each([
    { prompts: 8, takes: 45, rate: 0.02, spread: 0, r: 0 },
    { prompts: 8, takes: 45, rate: 0.02, spread: 2, r: 0 },
    { prompts: 4, takes: 9, rate: 0.2, spread: 1, r: 0 },
    { prompts: 12, takes: 3, rate: 0.5, spread: 3, r: 0 },
  ])('the interval of a rate covers 95 % where prompts differ or not: %o', (setup) => {
    expect(rateCoverage(setup, ROUNDS, createRandom(18))).toBeGreaterThanOrEqual(0.95 - error(0.95));
  });
});

describe('the bound of a further departure', () => {
  it('the bound of a further departure is below the truth in at most 5 % of runs', () => {
    for (const departs of [0.02, 0.05, 0.1, 0.3]) {
      expect(falseBounds(12, 3, departs, ROUNDS, createRandom(19))).toBeLessThanOrEqual(0.05 + error(0.05));
    }
  });
});

describe('Clopper-Pearson', () => {
  const shares = Array.from({ length: 199 }, (_, i) => (i + 1) / 200);

  /** The probability that the interval holds the share it is an interval of, over all outcomes. */
  function coverage(n: number, share: number, holds: (events: number) => boolean): number {
    let total = 0;
    for (let events = 0; events <= n; events += 1) if (holds(events)) total += binomialPmf(events, n, share);
    return total;
  }

  it('Clopper-Pearson covers at least its level, whatever the share', () => {
    for (const n of [1, 2, 5, 20, 60]) {
      const two = Array.from({ length: n + 1 }, (_, events) => clopperPearson(events, n, 0.95));
      const lower = Array.from({ length: n + 1 }, (_, events) => clopperPearsonLower(events, n, 0.95));
      const upper = Array.from({ length: n + 1 }, (_, events) => clopperPearsonUpper(events, n, 0.95));
      for (const share of shares) {
        const inside = (events: number) => {
          const interval = two[events];
          return interval !== undefined && interval.low <= share && share <= interval.high;
        };
        expect(coverage(n, share, inside)).toBeGreaterThanOrEqual(0.95 - 1e-12);
        expect(coverage(n, share, (events) => (lower[events] ?? 1) <= share)).toBeGreaterThanOrEqual(0.95 - 1e-12);
        expect(coverage(n, share, (events) => (upper[events] ?? 0) >= share)).toBeGreaterThanOrEqual(0.95 - 1e-12);
      }
    }
  });

  it('Clopper-Pearson bounds what was never seen: 0 of 59 is at most 5 %', () => {
    expect(clopperPearsonUpper(0, 59, 0.95)).toBeLessThan(0.05);
    expect(clopperPearsonUpper(0, 58, 0.95)).toBeGreaterThan(0.05);
    expect(clopperPearson(0, 10, 0.95).low).toBe(0);
    expect(clopperPearson(10, 10, 0.95).high).toBe(1);
  });

  it('Clopper-Pearson refuses what is not a share', () => {
    expect(() => clopperPearson(3, 2, 0.95)).toThrow(RangeError);
    expect(() => clopperPearson(0, 0, 0.95)).toThrow(RangeError);
    expect(() => clopperPearson(1, 2, 1)).toThrow(RangeError);
  });
});
