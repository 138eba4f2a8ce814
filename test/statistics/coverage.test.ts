import { describe, expect, it } from 'vitest';
import { binomialPmf } from '../../src/statistics/binomial.ts';
import { clopperPearson, clopperPearsonLower, clopperPearsonUpper } from '../../src/statistics/clopper-pearson.ts';
import { fewestForInterval, quantileInterval, rankInterval } from '../../src/statistics/quantile-interval.ts';
import { sortSample } from '../../src/statistics/sorted-sample.ts';

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
  it('covers 95 % to the last digit, and no pair of fewer ranks does', () => {
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

  it('exists from 6, 29, 59 and 299 values on', () => {
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

  it('has the values at its ranks as ends, a censored one among them', () => {
    const sample = sortSample([30, 10, 20, 50, 40, Infinity]);
    expect(quantileInterval(sample, 50, 0.95)).toMatchObject({ low: 10, high: Infinity, lowRank: 1, highRank: 6 });
    expect(quantileInterval(sortSample([1, 2, 3, 4, 5]), 50, 0.95)).toBeNull();
    expect(quantileInterval(sortSample([]), 50, 0.95)).toBeNull();
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

  it('covers at least its level, whatever the share', () => {
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

  it('bounds what was never seen: none of 59 is at most 5 %', () => {
    expect(clopperPearsonUpper(0, 59, 0.95)).toBeLessThan(0.05);
    expect(clopperPearsonUpper(0, 58, 0.95)).toBeGreaterThan(0.05);
    expect(clopperPearson(0, 10, 0.95).low).toBe(0);
    expect(clopperPearson(10, 10, 0.95).high).toBe(1);
  });

  it('refuses what is no share', () => {
    expect(() => clopperPearson(3, 2, 0.95)).toThrow(RangeError);
    expect(() => clopperPearson(0, 0, 0.95)).toThrow(RangeError);
    expect(() => clopperPearson(1, 2, 1)).toThrow(RangeError);
  });
});
