import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clopperPearsonLower, clopperPearsonUpper, eventLimits } from '../../src/statistics/rate-interval.ts';

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
      { numRuns: 60 },
    );
  });

  it('eventLimits is empty where no outcome could pass, or none could fail', () => {
    expect(eventLimits(0, 0.2, 0.95)).toEqual({ mostThatPass: null, fewestThatFail: null });
    expect(eventLimits(10, 0.2, 0.95).mostThatPass).toBeNull();
    expect(eventLimits(2, 0.5, 0.95).fewestThatFail).toBeNull();
    expect(eventLimits(10, 1, 0.95)).toEqual({ mostThatPass: 10, fewestThatFail: null });
  });
});
