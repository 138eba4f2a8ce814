import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { intervalOf, type PairTest, twoSidedP } from '../../src/statistics/pair-test.ts';
import { clusteredRiseTest, type PairCluster, pairedRiseTest } from '../../src/statistics/rise-test.ts';
import { exactSize } from '../fixtures/exact-size.ts';

const number = z.number();
const list = z.array(number);
const golden = z
  .object({
    exact: z.array(z.tuple([number, number, number, number, number, number])),
    clustered: z.array(z.tuple([list, list, list, number, number, number])),
  })
  .parse(JSON.parse(readFileSync(new URL('../golden/rates.json', import.meta.url), 'utf8')));

function clustered(parts: readonly { pairs: number; up: number; down: number }[]): PairTest {
  const total = (of: (part: (typeof parts)[number]) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  const events = {
    pairs: total(({ pairs }) => pairs),
    candidateOnly: total(({ up }) => up),
    baselineOnly: total(({ down }) => down),
  };
  const clusters = parts.map(({ pairs, up, down }): PairCluster => ({ pairs, difference: up - down }));
  return clusteredRiseTest(events, clusters);
}

function paired(pairs: number, candidateOnly: number, baselineOnly: number): PairTest {
  return pairedRiseTest({ pairs, candidateOnly, baselineOnly });
}

function intervalAt95(test: PairTest) {
  const interval = intervalOf(test, 0.95);
  if (interval === null) throw new Error('no interval');
  return interval;
}

describe('pairedRiseTest', () => {
  it('pairedRiseTest agrees with the multinomial law summed by SciPy', () => {
    for (const [pairs, candidateOnly, baselineOnly, rise, greater, less] of golden.exact) {
      const test = paired(pairs, candidateOnly, baselineOnly);
      const about = `${candidateOnly} and ${baselineOnly} of ${pairs} at ${rise}`;
      expect(test.greater(rise), about).toBeCloseTo(greater, 9);
      expect(test.less(rise), about).toBeCloseTo(less, 9);
    }
  });

  it('pairedRiseTest fails a rise that is exactly the limit in at most 5 % of samples', () => {
    // With the normal tail of the score it is 6.1, 8.8 and 8.0 %.
    expect(exactSize({ pairs: 36, limit: 0.05, baselines: [0, 0.04, 0.15] })).toBeLessThanOrEqual(0.05);
    expect(exactSize({ pairs: 60, limit: 0.05, baselines: [0, 0.01, 0.1] })).toBeLessThanOrEqual(0.05);
    expect(exactSize({ pairs: 105, limit: 0.05, baselines: [0, 0.02] })).toBeLessThanOrEqual(0.05);
  });

  it('pairedRiseTest rules out a rise where no pair differs, by the chance that no pair would', () => {
    const never = paired(36, 0, 0);
    expect(never.less(0.2)).toBeCloseTo(0.8 ** 36, 12);
    expect(never.upper(0.95)).toBeCloseTo(1 - 0.05 ** (1 / 36), 9);
    expect(twoSidedP(never)).toBe(1);
  });

  it('pairedRiseTest takes the normal tail of the score beyond 1,000 pairs', () => {
    expect(paired(1000, 30, 10).method).toBe('tango_exact');
    const many = paired(1001, 30, 10);
    expect(many.method).toBe('tango');
    // McNemar's z is 20 / sqrt(40).
    expect(many.greater(0)).toBeCloseTo(7.827e-4, 7);
    expect(Math.abs((many.greater(0) ?? Number.NaN) - (paired(1000, 30, 10).greater(0) ?? Number.NaN))).toBeLessThan(
      2e-4,
    );
  });

  it('pairedRiseTest cannot rule out that every pair rises where each did', () => {
    expect(paired(5, 5, 0).upper(0.95)).toBe(1);
    expect(intervalAt95(paired(5, 0, 5)).low).toBe(-1);
  });

  it('pairedRiseTest says nothing without pairs', () => {
    const { estimate, greater, upper } = paired(0, 0, 0);
    expect([estimate, greater(0.1), upper(0.95)]).toEqual([null, null, null]);
  });
});

describe('clusteredRiseTest', () => {
  it('clusteredRiseTest agrees with the spread between clusters by NumPy, and with Student of SciPy', () => {
    for (const [pairs, ups, downs, rise, greater, less] of golden.clustered) {
      const test = clustered(pairs.map((each, at) => ({ pairs: each, up: ups[at] ?? 0, down: downs[at] ?? 0 })));
      expect(test.greater(rise), `${ups} and ${downs} of ${pairs} at ${rise}`).toBeCloseTo(greater, 9);
      expect(test.less(rise), `${ups} and ${downs} of ${pairs} at ${rise}`).toBeCloseTo(less, 9);
    }
  });

  it('clusteredRiseTest of mostly empty rounds is no single point', () => {
    const mostlyNone = clustered(Array.from({ length: 15 }, (_, at) => ({ pairs: 8, up: at < 2 ? 1 : 0, down: 0 })));
    const { low, high } = intervalAt95(mostlyNone);
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(2 / 120);
  });

  it('clusteredRiseTest says nothing of a single cluster', () => {
    const { estimate, greater, upper } = clustered([{ pairs: 8, up: 8, down: 0 }]);
    expect([estimate, greater(0.1), upper(0.95)]).toEqual([1, null, null]);
  });
});
