import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clopperPearsonLower, clopperPearsonUpper, eventLimits } from '../../src/statistics/rate-interval.ts';
import { furtherPairs, tangoScore } from '../../src/statistics/rise-test.ts';
import { draws } from '../test-options.ts';
import { simulateFurther, UNDECIDED_VOTES } from '../tools/simulation/votes.ts';

describe('eventLimits', () => {
  it('eventLimits of 36 takes and at most 20 % passes up to 2 events and fails from 12', () => {
    expect(eventLimits(36, 0.2, 0.95)).toEqual({ mostThatPass: 2, fewestThatFail: 12 });
    expect(eventLimits(36, 0.1, 0.95).mostThatPass).toBe(0);
  });

  it('eventLimits is where the bounds cross the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 100 }), (trials, percent) => {
        const max = percent / 100;
        const { mostThatPass, fewestThatFail } = eventLimits(trials, max, 0.95);
        for (let events = 0; events <= trials; events += 1) {
          expect(events <= (mostThatPass ?? -1)).toBe(clopperPearsonUpper(events, trials, 0.95) <= max);
          expect(events >= (fewestThatFail ?? Infinity)).toBe(clopperPearsonLower(events, trials, 0.95) > max);
        }
      }),
      { numRuns: draws(60) },
    );
  });

  it('eventLimits is empty where no outcome could pass, or none could fail', () => {
    expect(eventLimits(0, 0.2, 0.95)).toEqual({ mostThatPass: null, fewestThatFail: null });
    expect(eventLimits(10, 0.2, 0.95).mostThatPass).toBeNull();
    expect(eventLimits(2, 0.5, 0.95).fewestThatFail).toBeNull();
    expect(eventLimits(10, 1, 0.95)).toEqual({ mostThatPass: 10, fewestThatFail: null });
  });
});

/* A sample of `npm run simulate -- votes`: seeded, so that it gives the same on every machine. */

const RUNS = 400;

describe('furtherPairs', () => {
  it.each(UNDECIDED_VOTES.slice(0, 4))(
    'so many further pairs tell two sides apart 4 times in 5: $pairs pairs, $candidateOnly : $baselineOnly',
    (votes) => {
      const told = simulateFurther(votes, RUNS).told / RUNS;
      expect(told).toBeGreaterThan(0.74);
      expect(told).toBeLessThan(0.86);
    },
  );

  it('furtherPairs names more for more power, the same for either side, and none without a net', () => {
    const [votes, mirrored] = [
      [14, 8],
      [8, 14],
    ].map(([candidateOnly = 0, baselineOnly = 0]) => ({ pairs: 30, candidateOnly, baselineOnly }));
    if (votes === undefined || mirrored === undefined) throw new Error('two sides');
    expect(furtherPairs(votes, 0.8, 1000)).toBeGreaterThan(2 * (furtherPairs(votes, 0.5, 1000) ?? Infinity));
    expect(furtherPairs(mirrored, 0.8, 1000)).toBe(furtherPairs(votes, 0.8, 1000));
    expect(furtherPairs({ ...votes, baselineOnly: 14 }, 0.8, 1000)).toBeNull();
    expect(furtherPairs({ ...votes, baselineOnly: 13 }, 0.8, 1000)).toBeNull();
  });
});

describe('tangoScore', () => {
  it('tangoScore is 1.96 at the published interval of the airway study: -0.517 to -0.026 (Fagerland, Lydersen and Laake 2014)', () => {
    const airway = { pairs: 21, candidateOnly: 1, baselineOnly: 7 };
    expect(tangoScore(airway, -0.517).z).toBeCloseTo(1.96, 2);
    expect(tangoScore(airway, -0.026).z).toBeCloseTo(-1.96, 2);
  });

  it('tangoScore at a rise of 0 is the z of McNemar', () => {
    expect(tangoScore({ pairs: 100, candidateOnly: 15, baselineOnly: 5 }, 0).z).toBeCloseTo(10 / Math.sqrt(20), 12);
  });

  it('tangoScore does not exist without pairs, and refuses counts that do not fit', () => {
    expect(() => tangoScore({ pairs: 0, candidateOnly: 0, baselineOnly: 0 }, 0)).toThrow(/pairs/);
    expect(() => tangoScore({ pairs: 3, candidateOnly: 2, baselineOnly: 2 }, 0)).toThrow(/pairs/);
    expect(() => tangoScore({ pairs: 3, candidateOnly: 1, baselineOnly: 1 }, 1)).toThrow(/rise/);
  });
});
