import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Spread, Unfitness } from '../../../src/record/calibration.ts';
import { type FloorParts, noiseFloorMs } from '../../../src/run/calibrate/floor.ts';
import { spreadOf } from '../../../src/run/calibrate/sampling.ts';
import { createRandom } from '../../../src/statistics/random.ts';

function spread(p50: number, iqr: number, tail = 100): Spread {
  return { unit: 'ms', n: 100, min: p50 / 2, p50, iqr, p95: p50 + iqr + tail, p99: null, max: p50 + iqr + 2 * tail };
}

const QUIET: FloorParts = {
  clockStep: spread(0.0001, 0.0002),
  eventLoopDelay: spread(0.1, 0.02),
  roundTrip: spread(0.3, 0.1),
  mediaRoundTrip: spread(1, 0.2),
};

describe('the noise floor', () => {
  it('the noise floor is the spread of the wider round trip and of the idle wake-up, as a difference of two, and the clock step', () => {
    expect(noiseFloorMs(QUIET, [])).toBeCloseTo(2.05 * (0.2 + 0.02) + 0.0001, 9);
    expect(noiseFloorMs({ ...QUIET, roundTrip: spread(0.3, 2) }, [])).toBeCloseTo(2.05 * (2 + 0.02) + 0.0001, 9);
  });

  it('the noise floor leaves out what is usual, which is in every latency alike, and the tail, which flags its samples', () => {
    expect(noiseFloorMs({ ...QUIET, mediaRoundTrip: spread(101, 0.2) }, [])).toBeCloseTo(noiseFloorMs(QUIET, []), 9);
    expect(noiseFloorMs({ ...QUIET, mediaRoundTrip: spread(1, 0.2, 5000) }, [])).toBe(noiseFloorMs(QUIET, []));
  });

  it('the noise floor repeats within 30 % on a machine whose round trips have a heavy tail', () => {
    const random = createRandom(3);
    // Nine of ten round trips spread by a few percent, one of ten is late by up to 10 ms.
    const trip = () => 1 + 0.3 * random.uniform() + (random.uniform() < 0.1 ? 10 * random.uniform() : 0);
    const floors = Array.from({ length: 200 }, () => {
      const trips = spreadOf(Array.from({ length: 100 }, trip));
      return noiseFloorMs({ ...QUIET, roundTrip: trips, mediaRoundTrip: trips }, []);
    });
    const typical = floors.toSorted((a, b) => a - b)[100] ?? 0;
    const within = floors.filter((floor) => Math.abs(floor / typical - 1) <= 0.3).length;
    expect(within / floors.length).toBeGreaterThanOrEqual(0.95);
  });

  it('the noise floor is never below zero, and never smaller on a noisier machine', () => {
    const noise = fc.double({ min: 0, max: 1000, noNaN: true });
    fc.assert(
      fc.property(noise, noise, noise, noise, (usual, wake, trip, more) => {
        const parts = { ...QUIET, eventLoopDelay: spread(usual, wake), roundTrip: spread(usual, trip) };
        const noisier = { ...parts, roundTrip: spread(usual, trip + more) };
        expect(noiseFloorMs(parts, [])).toBeGreaterThan(0);
        expect(noiseFloorMs(noisier, [])).toBeGreaterThanOrEqual(noiseFloorMs(parts, []));
      }),
    );
  });
});

describe('the noise floor of a busy machine', () => {
  const OVERLOADED: Unfitness = { code: 'overloaded', loadAverage: 19, cores: 2 };

  it('the noise floor of a single round trip is that of its whole length, not 0', () => {
    const once = spreadOf([2.6]);
    expect(once.iqr).toBe(0);
    expect(noiseFloorMs({ ...QUIET, roundTrip: once, mediaRoundTrip: once }, [])).toBeCloseTo(
      2.05 * (2.6 + 0.02) + 0.0001,
      9,
    );
  });

  it('delays, and fewer round trips than were asked for, never make the noise floor smaller', () => {
    const usual = fc.double({ min: 0.9, max: 1.2, noNaN: true });
    const delay = fc.double({ min: 0, max: 300, noNaN: true });
    const trips = fc.array(fc.tuple(usual, delay), { minLength: 60, maxLength: 120 });
    fc.assert(
      fc.property(trips, fc.integer({ min: 1, max: 120 }), (all, made) => {
        const floorOf = (lengths: readonly number[], unfit: readonly Unfitness[]) => {
          const found = spreadOf(lengths);
          return noiseFloorMs({ ...QUIET, roundTrip: found, mediaRoundTrip: found }, unfit);
        };
        const quiet = floorOf(
          all.map(([length]) => length),
          [],
        );
        const late = all.slice(0, made).map(([length, more]) => length + more);
        expect(floorOf(late, [OVERLOADED])).toBeGreaterThanOrEqual(quiet);
        expect(floorOf(late.slice(0, 5), [])).toBeGreaterThanOrEqual(quiet);
      }),
    );
  });

  it('a machine that saves power is not busy', () => {
    expect(noiseFloorMs(QUIET, [{ code: 'saves_power', by: { code: 'battery' } }])).toBe(noiseFloorMs(QUIET, []));
  });
});
