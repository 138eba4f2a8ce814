import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/statistics/random.ts';
import { fewestForSignedRank, signedRank, walshInterval, walshUpperBound } from '../../src/statistics/signed-rank.ts';

/** Whole numbers have many ties; infinite ones stand for trials that one side lost. */
const difference = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -6, max: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(Infinity, -Infinity) },
);
const level = fc.constantFrom(0.5, 0.8, 0.9, 0.95, 0.975);

/**
 * Of whole numbers every Walsh average is a multiple of 1/2: at a quarter beside, no difference is 0 and none become
 * alike.
 */
const BESIDE = Array.from({ length: 45 }, (_, at) => (at - 16) / 2 + 0.25);

function many(n: number, draw: fc.Arbitrary<number>): fc.Arbitrary<number[]> {
  return fc.array(draw, { minLength: n, maxLength: n });
}

describe('walshInterval', () => {
  it('walshInterval contains exactly the shifts that the signed rank test does not reject, ties and infinite values among them', () => {
    fc.assert(
      fc.property(fc.array(difference, { maxLength: 14 }), level, (values, confidence) => {
        const interval = walshInterval(values, confidence);
        if (interval === null) return;
        for (const shift of BESIDE) {
          const kept = signedRank(values, 'two-sided', shift).p > 1 - confidence;
          expect([shift, interval.low < shift && shift < interval.high]).toEqual([shift, kept]);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('walshInterval contains exactly the shifts that the approximate test does not reject, above 50 values', () => {
    fc.assert(
      fc.property(many(60, difference), level, (values, confidence) => {
        const interval = walshInterval(values, confidence);
        expect(interval?.method).toBe('normal');
        for (const shift of BESIDE) {
          const kept = signedRank(values, 'two-sided', shift).p > 1 - confidence;
          expect((interval?.low ?? 0) < shift && shift < (interval?.high ?? 0)).toBe(kept);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('walshInterval ends where the approximate test begins to reject, with a third of the values lost', () => {
    const draw = fc.tuple(fc.integer(), fc.nat(20), fc.constantFrom(0.5, 0.8, 0.9));
    fc.assert(
      fc.property(draw, ([seed, above, confidence]) => {
        const random = createRandom(seed);
        const lost = [...Array<number>(above).fill(Infinity), ...Array<number>(20 - above).fill(-Infinity)];
        const all = [...Array.from({ length: 40 }, () => 20 * random.uniform() - 10), ...lost];
        const interval = walshInterval(all, confidence);
        if (interval === null) return;
        for (const [end, outwards] of [
          [interval.low, -1],
          [interval.high, 1],
        ] as const) {
          if (!Number.isFinite(end)) continue;
          expect(signedRank(all, 'two-sided', end + outwards * 1e-7).p).toBeLessThanOrEqual(1 - confidence);
          expect(signedRank(all, 'two-sided', end - outwards * 1e-7).p).toBeGreaterThan(1 - confidence);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('walshUpperBound is the end of the shifts that the one-sided test does not reject', () => {
    fc.assert(
      fc.property(fc.array(difference, { maxLength: 12 }), level, (values, confidence) => {
        const upper = walshUpperBound(values, confidence);
        if (upper === null) return;
        for (const shift of BESIDE) {
          expect(shift < upper).toBe(signedRank(values, 'less', shift).p > 1 - confidence);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('walshInterval exists from 6 differences on at 95 %, one-sided from 5', () => {
    const rising = (n: number) => Array.from({ length: n }, (_, at) => at + 1);
    expect(walshInterval([], 0.95)).toBeNull();
    expect(walshInterval(rising(5), 0.95)).toBeNull();
    expect(walshInterval(rising(6), 0.95)).toEqual({ low: 1, high: 6, method: 'exact' });
    expect(walshUpperBound(rising(4), 0.95)).toBeNull();
    expect(walshUpperBound(rising(5), 0.95)).toBe(5);
    expect(fewestForSignedRank(0.05 / 2)).toBe(6);
    expect(fewestForSignedRank(0.05)).toBe(5);
  });

  it('walshInterval is open at an end that too many lost trials hold', () => {
    expect(walshInterval([1, 2, 3, 4, 5, 6, 7, Infinity], 0.95)).toEqual({ low: 2, high: Infinity, method: 'exact' });
    expect(walshInterval([-Infinity, 1, 2, 3, 4, 5, 6, 7], 0.95)?.low).toBe(-Infinity);
    expect(walshUpperBound(Array<number>(12).fill(-Infinity), 0.95)).toBe(-Infinity);
    expect(walshInterval([...Array<number>(70).fill(1), ...Array<number>(30).fill(Infinity)], 0.95)).toEqual({
      low: 1,
      high: Infinity,
      method: 'normal',
    });
  });

  it('walshInterval is found among 50 million averages, which need not be held', () => {
    const random = createRandom(5);
    const values = Array.from({ length: 10_000 }, () => random.uniform() + random.uniform());
    const interval = walshInterval(values, 0.95);
    // The centre of a symmetric law; the standard error of the estimate is 0.0043.
    const [low, high] = [interval?.low ?? Number.NaN, interval?.high ?? Number.NaN];
    expect(Math.abs((low + high) / 2 - 1)).toBeLessThan(4 * 0.0043);
    expect(Math.abs((high - low) / (2 * 1.96 * 0.0043) - 1)).toBeLessThan(0.1);
  });

  it('walshInterval refuses NaN and a level that is none', () => {
    expect(() => walshInterval([1, Number.NaN], 0.95)).toThrow(/NaN/);
    expect(() => walshInterval([1], 1)).toThrow(/level/);
    expect(() => walshUpperBound([1], 0)).toThrow(/level/);
  });
});
