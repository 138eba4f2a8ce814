import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanTest } from '../../src/statistics/mean.ts';
import { intervalOf, type PairTest, reversed, twoSidedP } from '../../src/statistics/pair-test.ts';
import { clusteredRiseTest, pairedRiseTest } from '../../src/statistics/rise-test.ts';
import { signedRankTest } from '../../src/statistics/signed-rank.ts';
import { draws } from '../test-options.ts';

/** Means of two lie at least 5e-7 apart, so that nothing is beside a bound but the bound. */
const changes = fc.array(
  fc.integer({ min: -400_000, max: 400_000 }).map((millionths) => millionths / 1e6),
  { minLength: 8, maxLength: 30 },
);
const signs = fc.array(fc.constantFrom(-1, 0, 0, 0, 1), { minLength: 8, maxLength: 30 });

function countOf(some: readonly number[]) {
  const of = (sign: number) => some.filter((each) => each === sign).length;
  return { pairs: some.length, candidateOnly: of(1), baselineOnly: of(-1) };
}

function clustersOf(some: readonly number[]) {
  return [0, 1, 2, 3].map((cluster) => {
    const own = some.filter((_, at) => at % 4 === cluster);
    return { pairs: own.length, difference: own.reduce((total, each) => total + each, 0) };
  });
}

const TESTS: readonly (readonly [string, fc.Arbitrary<number[]>, (values: readonly number[]) => PairTest])[] = [
  ['signed ranks', changes, signedRankTest],
  ["Student's t", changes, (values) => meanTest(values, { low: -1, high: 1 })],
  ["Tango's score", signs, (values) => pairedRiseTest(countOf(values))],
  ["Tango's score over clusters", signs, (values) => clusteredRiseTest(countOf(values), clustersOf(values))],
];

describe.each(TESTS)('%s', (_name, values, testOf) => {
  const level = fc.constantFrom(0.8, 0.9, 0.95);

  it('a bound at 1 - a is the change whose p is a', () => {
    fc.assert(
      fc.property(values, level, (some, confidence) => {
        const test = testOf(some);
        const [lower, upper] = [test.lower(confidence), test.upper(confidence)];
        if (lower === null || upper === null) return;
        const isRejected = (p: number | null) => (p ?? Number.NaN) <= 1 - confidence;
        for (const [bound, p, outwards] of [
          [lower, test.greater, -1e-7],
          [upper, test.less, 1e-7],
        ] as const) {
          if (Math.abs(bound) > 1 - 1e-6) continue;
          expect(isRejected(p(bound + outwards))).toBe(true);
          expect(isRejected(p(bound - outwards))).toBe(false);
        }
      }),
      { numRuns: draws(60) },
    );
  });

  it('the test of the opposite changes is reversed, and its interval holds the estimate', () => {
    fc.assert(
      fc.property(values, level, (some, confidence) => {
        const [there, back] = [testOf(some), reversed(testOf(some.map((each) => 0 - each)))];
        expect(back.estimate).toBeCloseTo(there.estimate ?? Number.NaN, 12);
        expect(back.greater(0.1)).toBeCloseTo(there.greater(0.1) ?? Number.NaN, 12);
        expect(twoSidedP(back)).toBeCloseTo(twoSidedP(there) ?? Number.NaN, 12);
        const [one, other] = [intervalOf(there, confidence), intervalOf(back, confidence)];
        expect(other?.low).toBeCloseTo(one?.low ?? Number.NaN, 9);
        expect(other?.high).toBeCloseTo(one?.high ?? Number.NaN, 9);
        expect(one?.low).toBeLessThanOrEqual(there.estimate ?? Number.NaN);
        expect(one?.high).toBeGreaterThanOrEqual(there.estimate ?? Number.NaN);
      }),
      { numRuns: draws(60) },
    );
  });
});
