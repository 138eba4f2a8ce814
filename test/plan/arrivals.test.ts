import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawArrivals, plannedArrivals } from '../../src/plan/load-slices.ts';
import { createRandom } from '../../src/statistics/random.ts';

const stage = (ratePerSecond: number, forMs: number | null) => ({ ratePerSecond, forMs });

/** The largest distance between the distribution of some values and an exponential one with that mean. */
function kolmogorovSmirnov(values: readonly number[], mean: number): number {
  return [...values]
    .sort((a, b) => a - b)
    .reduce((worst, value, at) => {
      const expected = 1 - Math.exp(-value / mean);
      return Math.max(worst, Math.abs(expected - at / values.length), Math.abs(expected - (at + 1) / values.length));
    }, 0);
}

function gaps(times: readonly number[]): readonly number[] {
  return times.map((at, index) => at - (times[index - 1] ?? 0));
}

describe('arrivals', () => {
  it('constant arrivals come evenly, from the begin on', () => {
    const load = { arrivals: 'constant', stages: [stage(4, null)] } as const;
    expect(drawArrivals(load, 5, createRandom(1))).toEqual([0, 250, 500, 750, 1000]);
  });

  it('constant arrivals follow stages of several rates, none after the last', () => {
    const load = { arrivals: 'constant', stages: [stage(2, 1000), stage(4, 500), stage(1, 1500)] } as const;
    expect(drawArrivals(load, Number.POSITIVE_INFINITY, createRandom(1))).toEqual([0, 500, 1000, 1250, 1500, 2500]);
  });

  it.each([1, 2, 3, 4, 5])(
    'poisson arrivals have exponential gaps by a Kolmogorov-Smirnov test at 1 %% (seed %i)',
    (seed) => {
      const load = { arrivals: 'poisson', stages: [stage(50, null)] } as const;
      const drawn = gaps(drawArrivals(load, 10_000, createRandom(seed)));
      // The critical value for large n: Smirnov, Annals of Mathematical Statistics 19 (1948).
      expect(kolmogorovSmirnov(drawn, 20)).toBeLessThan(1.6276 / Math.sqrt(drawn.length));
    },
  );

  it('poisson arrivals follow the rate of each stage', () => {
    const load = { arrivals: 'poisson', stages: [stage(10, 200_000), stage(40, 100_000)] } as const;
    const times = drawArrivals(load, Number.POSITIVE_INFINITY, createRandom(7));
    const early = times.filter((at) => at < 200_000);
    const late = times.filter((at) => at >= 200_000);
    // Counts of a Poisson process: means 2000 and 4000, within four standard deviations.
    expect(Math.abs(early.length - 2000)).toBeLessThan(4 * Math.sqrt(2000));
    expect(Math.abs(late.length - 4000)).toBeLessThan(4 * Math.sqrt(4000));
    const inner = gaps(late.map((at) => at - 200_000)).slice(1);
    expect(kolmogorovSmirnov(inner, 25)).toBeLessThan(1.6276 / Math.sqrt(inner.length));
    expect(plannedArrivals(load)).toBe(6000);
  });

  it('arrivals ascend, stay within the stages, and are the same for the same seed', () => {
    const stages = fc.array(
      fc.record({
        ratePerSecond: fc.double({ min: 0.1, max: 200, noNaN: true }),
        forMs: fc.integer({ min: 1, max: 5000 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(stages, fc.constantFrom('poisson', 'constant'), fc.integer(), (of, arrivals, seed) => {
        const load = { arrivals, stages: of } as const;
        const times = drawArrivals(load, Number.POSITIVE_INFINITY, createRandom(seed));
        const endMs = of.reduce((sum, { forMs }) => sum + forMs, 0);
        for (const [at, time] of times.entries()) {
          expect(time).toBeGreaterThanOrEqual(times[at - 1] ?? 0);
          expect(time).toBeLessThan(endMs + 1e-6);
        }
        expect(drawArrivals(load, Number.POSITIVE_INFINITY, createRandom(seed))).toEqual(times);
      }),
    );
  });
});
