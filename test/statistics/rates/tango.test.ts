import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PairedEvents,
  tangoInterval,
  tangoLower,
  tangoTest,
  tangoUpper,
} from '../../../src/statistics/rates/tango.ts';

const events = fc
  .tuple(fc.integer({ min: 1, max: 200 }), fc.nat(200), fc.nat(200))
  .map(([pairs, one, other]): PairedEvents => {
    const candidateOnly = one % (pairs + 1);
    return { pairs, candidateOnly, baselineOnly: other % (pairs - candidateOnly + 1) };
  });
const rise = fc.double({ min: -0.95, max: 0.95, noNaN: true });

describe('tangoTest', () => {
  it('tangoTest agrees with the published interval of the airway study: -0.517 to -0.026 (Fagerland, Lydersen and Laake 2014)', () => {
    const interval = tangoInterval({ pairs: 21, candidateOnly: 1, baselineOnly: 7 }, 0.95);
    expect(interval?.low).toBeCloseTo(-0.517, 3);
    expect(interval?.high).toBeCloseTo(-0.026, 3);
  });

  it('tangoTest at a rise of 0 is the z of McNemar', () => {
    const found = tangoTest({ pairs: 100, candidateOnly: 15, baselineOnly: 5 }, 0);
    expect(found?.z).toBeCloseTo(10 / Math.sqrt(20), 12);
    expect(found?.difference).toBe(0.1);
  });

  it('tangoTest says nothing of a rise of 0 where the sides never differ, and rules out a large one', () => {
    const never = { pairs: 36, candidateOnly: 0, baselineOnly: 0 };
    expect(tangoTest(never, 0)).toMatchObject({ z: 0, greater: 0.5, less: 0.5, twoSided: 1 });
    expect(tangoTest(never, 0.2)?.less).toBeLessThan(0.01);
    expect(tangoUpper(never, 0.95)).toBeCloseTo(2.705543454 / (36 + 2.705543454), 9);
  });

  it('tangoTest rejects exactly what lies outside its bounds', () => {
    fc.assert(
      fc.property(events, rise, (some, tried) => {
        const found = tangoTest(some, tried);
        const [lower, upper] = [tangoLower(some, 0.95) ?? Number.NaN, tangoUpper(some, 0.95) ?? Number.NaN];
        if (Math.abs(tried - lower) < 1e-9 || Math.abs(tried - upper) < 1e-9) return;
        expect((found?.greater ?? 0) > 0.05).toBe(tried > lower);
        expect((found?.less ?? 0) > 0.05).toBe(tried < upper);
      }),
      { numRuns: 2000 },
    );
  });

  it('tangoTest changes sign with the sides', () => {
    fc.assert(
      fc.property(events, rise, (some, tried) => {
        const mirrored = { pairs: some.pairs, candidateOnly: some.baselineOnly, baselineOnly: some.candidateOnly };
        const [one, other] = [tangoTest(some, tried), tangoTest(mirrored, -tried)];
        expect(other?.z).toBeCloseTo(-(one?.z ?? Number.NaN), 12);
        expect(other?.less).toBeCloseTo(one?.greater ?? Number.NaN, 12);
      }),
    );
  });

  it('tangoTest is the surer of a rise the smaller the one tested', () => {
    fc.assert(
      fc.property(events, rise, rise, (some, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(tangoTest(some, low)?.greater).toBeLessThanOrEqual((tangoTest(some, high)?.greater ?? 0) + 1e-12);
      }),
      { numRuns: 2000 },
    );
  });

  it('tangoTest keeps the difference within the interval, and the interval within -1 and 1', () => {
    fc.assert(
      fc.property(events, (some) => {
        const interval = tangoInterval(some, 0.95);
        const difference = (some.candidateOnly - some.baselineOnly) / some.pairs;
        expect(interval?.low).toBeGreaterThanOrEqual(-1);
        expect(interval?.low).toBeLessThanOrEqual(difference);
        expect(interval?.high).toBeGreaterThanOrEqual(difference);
        expect(interval?.high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('tangoTest cannot rule out that every pair rises where each did', () => {
    expect(tangoUpper({ pairs: 5, candidateOnly: 5, baselineOnly: 0 }, 0.95)).toBe(1);
    expect(tangoLower({ pairs: 5, candidateOnly: 0, baselineOnly: 5 }, 0.95)).toBe(-1);
  });

  it('tangoTest does not exist without pairs, and refuses counts that do not fit', () => {
    expect(tangoTest({ pairs: 0, candidateOnly: 0, baselineOnly: 0 }, 0)).toBeNull();
    expect(tangoInterval({ pairs: 0, candidateOnly: 0, baselineOnly: 0 }, 0.95)).toBeNull();
    expect(() => tangoTest({ pairs: 3, candidateOnly: 2, baselineOnly: 2 }, 0)).toThrow(/pairs/);
    expect(() => tangoTest({ pairs: 3, candidateOnly: 1, baselineOnly: 1 }, 1)).toThrow(/rise/);
    expect(() => tangoUpper({ pairs: 3, candidateOnly: 1, baselineOnly: 1 }, 0.3)).toThrow(/level/);
  });
});
