import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
