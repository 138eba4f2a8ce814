import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FloorParts, isBelowFloor, noiseFloorMs } from '../../src/calibrate/floor.ts';
import type { Spread } from '../../src/record/calibration.ts';

function spread(p50: number, p95: number | null, max = (p95 ?? p50) * 2): Spread {
  return { unit: 'ms', n: 100, min: p50 / 2, p50, p95, p99: null, max };
}

const QUIET: FloorParts = {
  clockStep: spread(0.0001, 0.0002),
  eventLoopDelay: spread(0.1, 0.15),
  roundTrip: spread(0.3, 0.5),
  mediaRoundTrip: spread(1, 1.4),
};

describe('the noise floor', () => {
  it('is the wider round trip, the idle wake-up and the clock step, added up', () => {
    expect(noiseFloorMs(QUIET)).toBeCloseTo(0.4 + 0.05 + 0.0001, 9);
    expect(noiseFloorMs({ ...QUIET, roundTrip: spread(0.3, 2.3) })).toBeCloseTo(2 + 0.05 + 0.0001, 9);
  });

  it('leaves out what is usual: it is in every latency alike', () => {
    expect(noiseFloorMs({ ...QUIET, mediaRoundTrip: spread(101, 101.4) })).toBeCloseTo(noiseFloorMs(QUIET), 9);
  });

  it('takes the maximum where there are too few values for a p95', () => {
    expect(noiseFloorMs({ ...QUIET, mediaRoundTrip: spread(1, null, 4) })).toBeCloseTo(3 + 0.05 + 0.0001, 9);
  });

  it('is never below zero, and never smaller on a noisier machine', () => {
    const noise = fc.double({ min: 0, max: 1000, noNaN: true });
    fc.assert(
      fc.property(noise, noise, noise, noise, (usual, wake, trip, more) => {
        const parts = { ...QUIET, eventLoopDelay: spread(usual, usual + wake), roundTrip: spread(usual, usual + trip) };
        const noisier = { ...parts, roundTrip: spread(usual, usual + trip + more) };
        expect(noiseFloorMs(parts)).toBeGreaterThan(0);
        expect(noiseFloorMs(noisier)).toBeGreaterThanOrEqual(noiseFloorMs(parts));
      }),
    );
  });
});

describe('a difference', () => {
  it('below the floor is not told, whichever is the slower', () => {
    expect(isBelowFloor(0.9, { floorMs: 1 })).toBe(true);
    expect(isBelowFloor(-0.9, { floorMs: 1 })).toBe(true);
    expect(isBelowFloor(0, { floorMs: 1 })).toBe(true);
  });

  it('of the floor or more is told, and every one where the machine was not calibrated', () => {
    expect(isBelowFloor(1, { floorMs: 1 })).toBe(false);
    expect(isBelowFloor(-25, { floorMs: 1 })).toBe(false);
    expect(isBelowFloor(0, null)).toBe(false);
  });
});
