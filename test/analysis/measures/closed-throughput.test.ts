import { describe, expect, it } from 'vitest';
import { closedThroughput, type SlotCall } from '../../../src/analysis/measures/throughput.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import { SERVICE_LAWS, type ServiceLaw, simulateSlice, trueThroughput } from '../../fixtures/simulated-service.ts';
import { NIGHTLY } from '../../test-options.ts';

const LAWS = SERVICE_LAWS.map((law) => [law.name, law] as const);
const [CONSTANT] = SERVICE_LAWS;
const SLICES = NIGHTLY ? 3000 : 600;

function slicesOf(count: number, calls: number, concurrency: number, workers: number): SlotCall[][] {
  const random = createRandom(9);
  if (CONSTANT === undefined) throw new Error('there are laws');
  return Array.from({ length: count }, () => simulateSlice(calls, concurrency, workers, CONSTANT, random));
}

/** Whether the interval of throughput holds the truth, of each run that has one. */
function throughputHeld(law: ServiceLaw): readonly boolean[] {
  const random = createRandom(77);
  const held: boolean[] = [];
  for (const perSlot of [2, 8, 40]) {
    for (const concurrency of [1, 2, 4, 8]) {
      for (const workers of [Infinity, 1, 3]) {
        const truth = trueThroughput(concurrency, workers);
        for (let round = 0; round < 12; round += 1) {
          const slice = () => simulateSlice(perSlot * concurrency, concurrency, workers, law, random);
          const found = closedThroughput(Array.from({ length: 8 }, slice), concurrency, null);
          if (found.found !== 'rate' || found.interval === null) continue;
          // Without spread the ends are the truth, but for rounding.
          held.push(found.interval.low <= truth * (1 + 1e-9) && truth <= found.interval.high * (1 + 1e-9));
        }
      }
    }
  }
  return held;
}

describe('throughput of closed load', () => {
  it('closed throughput does not count the drain of a slice: constant times give concurrency over latency to the last digit', () => {
    for (const [concurrency, workers] of [
      [4, Infinity],
      [16, Infinity],
      [16, 1],
      [8, 3],
    ] as const) {
      const found = closedThroughput(slicesOf(6, 40 * concurrency, concurrency, workers), concurrency, null);
      expect(found).toMatchObject({ found: 'rate', units: 18, leftOut: 0 });
      const truth = trueThroughput(concurrency, workers);
      if (found.found === 'rate') expect(found.perSecond / truth).toBeCloseTo(1, 9);
    }
  });

  it('closed throughput is within 1 % of the truth on average at a spread of 5 to 30 %, where slots stay in step for long', () => {
    const random = createRandom(21);
    for (const law of SERVICE_LAWS.slice(1, 3)) {
      for (const concurrency of [4, 16]) {
        let total = 0;
        for (let round = 0; round < 20; round += 1) {
          const slices = [simulateSlice(40 * concurrency, concurrency, Infinity, law, random)];
          const found = closedThroughput(slices, concurrency, null);
          if (found.found === 'rate') total += found.perSecond;
        }
        expect(Math.abs(total / 20 / trueThroughput(concurrency, Infinity) - 1)).toBeLessThan(0.01);
      }
    }
  });

  it('closed throughput of the shortest slices that count is within 2 % of the truth on average, where one call in ten is long', () => {
    const random = createRandom(33);
    const law = SERVICE_LAWS.at(-1);
    if (law === undefined) throw new Error('there are laws');
    for (const concurrency of [8, 16]) {
      const slices = Array.from({ length: SLICES }, () =>
        simulateSlice(10 * concurrency, concurrency, Infinity, law, random),
      );
      const found = closedThroughput(slices, concurrency, null);
      expect(found).toMatchObject({ found: 'rate', units: SLICES });
      const perSecond = found.found === 'rate' ? found.perSecond : 0;
      expect(Math.abs(perSecond / trueThroughput(concurrency, Infinity) - 1)).toBeLessThan(0.02);
    }
  });

  it('closed throughput counts failures as time in a slot and not as output', () => {
    const slices = slicesOf(6, 160, 4, Infinity).map((calls) =>
      calls.map((call, at) => ({ ...call, amount: (Math.floor(at / 4) + 1) % 2 })),
    );
    const found = closedThroughput(slices, 4, null);
    if (found.found === 'rate') expect(found.perSecond / trueThroughput(4, Infinity)).toBeCloseTo(0.5, 1);
    expect(found.found).toBe('rate');
  });

  it('closed throughput leaves slices out that are too short beside long ones, and says how many', () => {
    const slices = [...slicesOf(6, 160, 4, 1), ...slicesOf(2, 12, 4, 1)];
    expect(closedThroughput(slices, 4, null)).toMatchObject({ found: 'rate', units: 18, leftOut: 2 });
  });

  it('closed throughput is no rate where all slices are too short', () => {
    expect(closedThroughput(slicesOf(6, 10, 4, 1), 4, null)).toEqual({ found: 'too_short' });
    expect(closedThroughput([], 4, null)).toEqual({ found: 'nothing' });
  });

  it('closed throughput has an interval from 6 calls on at one in flight, which is wider where calls depend on each other', () => {
    const random = createRandom(4);
    const law = SERVICE_LAWS[2] ?? LAWS[0]?.[1];
    if (law === undefined) throw new Error('there are laws');
    const calls = simulateSlice(40, 1, 1, law, random);
    const width = (time: number) => {
      const found = closedThroughput([calls], 1, { r: 0.3, n: 40, time, significant: true });
      return found.found === 'rate' && found.interval !== null ? found.interval.high - found.interval.low : null;
    };
    expect(closedThroughput([calls.slice(0, 5)], 1, null)).toMatchObject({ found: 'rate', interval: null });
    expect(width(3) ?? 0).toBeGreaterThan(1.6 * (width(1) ?? Infinity));
    expect(width(8)).toBeNull(); // 40 / 8 = 5 calls
  });

  it.each(LAWS)('closed throughput has an interval that holds the truth: %s', (_, law) => {
    const held = throughputHeld(law);
    // 432 runs: 93 % less three standard errors, so that chance alone does not fail it.
    const share = held.filter(Boolean).length / held.length;
    expect(share).toBeGreaterThanOrEqual(0.93 - 3 * Math.sqrt((0.93 * 0.07) / held.length));
  });
});
