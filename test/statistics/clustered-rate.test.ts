import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cluster, clopperPearson, clusteredRate } from '../../src/statistics/rate-interval.ts';

const clusters = fc.array(
  fc.nat({ max: 30 }).chain((trials) => fc.nat({ max: trials }).map((events): Cluster => ({ events, trials }))),
  { maxLength: 20 },
);

describe('clusteredRate', () => {
  it('clusteredRate counts each prompt once when nothing happened', () => {
    const rate = clusteredRate(Array(12).fill({ events: 0, trials: 9 }), 0.95);
    expect(rate).toMatchObject({ rate: 0, trials: 108, clusters: 12, effectiveTrials: 12, low: 0 });
    expect(rate?.high).toBe(clopperPearson(0, 12, 0.95).high);
  });

  it('clusteredRate counts each prompt once when everything happened', () => {
    const rate = clusteredRate(Array(12).fill({ events: 9, trials: 9 }), 0.95);
    expect(rate).toMatchObject({ rate: 1, effectiveTrials: 12, high: 1 });
    expect(rate?.low).toBe(clopperPearson(12, 12, 0.95).low);
  });

  it('clusteredRate is far less sure when a prompt fails as a whole than when failures are spread', () => {
    const together = clusteredRate([{ events: 9, trials: 9 }, ...Array(11).fill({ events: 0, trials: 9 })], 0.95);
    const spread = clusteredRate(
      [...Array(9).fill({ events: 1, trials: 9 }), ...Array(3).fill({ events: 0, trials: 9 })],
      0.95,
    );
    expect(together?.rate).toBe(spread?.rate);
    expect(together?.effectiveTrials).toBeLessThan(12);
    expect(spread?.effectiveTrials).toBe(108);
    expect(together?.high).toBeGreaterThan(1.5 * (spread?.high ?? 1));
  });

  it('clusteredRate is never surer of the rate than no failure at all makes it', () => {
    fc.assert(
      fc.property(clusters, (some) => {
        const rate = clusteredRate(some, 0.95);
        if (rate === null || rate.clusters < 2) return;
        expect(rate.high).toBeGreaterThanOrEqual(clopperPearson(0, rate.clusters, 0.95).high);
        expect(rate.low).toBeLessThanOrEqual(clopperPearson(rate.clusters, rate.clusters, 0.95).low);
      }),
      { numRuns: 500 },
    );
  });

  it('clusteredRate counts a single prompt by its trials', () => {
    expect(clusteredRate([{ events: 0, trials: 9 }], 0.95)).toMatchObject({
      effectiveTrials: 9,
      ...clopperPearson(0, 9, 0.95),
    });
  });

  it('clusteredRate gives nothing for no trials', () => {
    expect(clusteredRate([], 0.95)).toBeNull();
    expect(clusteredRate([{ events: 0, trials: 0 }], 0.95)).toBeNull();
  });

  it('clusteredRate keeps the rate within its interval, and never claims more than the trials there are', () => {
    fc.assert(
      fc.property(clusters, (some) => {
        const rate = clusteredRate(some, 0.95);
        if (rate === null) return;
        expect(rate.low).toBeGreaterThanOrEqual(0);
        expect(rate.high).toBeLessThanOrEqual(1);
        expect(rate.low).toBeLessThanOrEqual(rate.rate + 1e-12);
        expect(rate.high).toBeGreaterThanOrEqual(rate.rate - 1e-12);
        expect(rate.effectiveTrials).toBeLessThanOrEqual(rate.trials);
        expect(rate.effectiveTrials).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
