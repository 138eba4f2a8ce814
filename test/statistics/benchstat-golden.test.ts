import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { intervalOf, twoSidedP } from '../../src/statistics/pair-test.ts';
import { hodgesLehmann, signedRankTest } from '../../src/statistics/signed-rank.ts';

/*
 * What benchstat says of its own test data, beside what our kernels say of them. Benchstat compares two samples that
 * nothing pairs, by Mann and Whitney's test; ours are paired by block. Here the runs of a benchmark are paired in the
 * order they were measured.
 */

const { compared } = z
  .object({
    compared: z.array(
      z.object({
        name: z.string(),
        before: z.array(z.number()),
        after: z.array(z.number()),
        /** Rounded to 3 digits after the point. */
        p: z.number(),
        /** The change that benchstat shows; null where it shows none, for p is above 0.05. */
        percent: z.number().nullable(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('../golden/benchstat.json', import.meta.url), 'utf8')));

type Compared = (typeof compared)[number];

function differencesOf({ before, after }: Compared): readonly number[] {
  return after.slice(0, before.length).map((value, at) => Math.log(value / (before[at] ?? Number.NaN)));
}

describe('the data that benchstat is tested with', () => {
  it.each(compared.filter(({ before }) => before.length > 4))(
    '$name: pairs are told apart where benchstat does',
    (pair) => {
      const differences = differencesOf(pair);
      const tells = (signedRankTest(differences).less(0) ?? 1) <= 0.05;
      expect(tells).toBe(pair.percent !== null);
      const percent = 100 * Math.expm1(hodgesLehmann(differences) ?? 0);
      expect(Math.abs(percent - (pair.percent ?? 0))).toBeLessThan(1);
    },
  );

  it('pairs below 6: have no two-sided p of 5 %, where unpaired groups of 5 have one', () => {
    const five = compared.find(({ name }) => name === 'FloatSub-5');
    if (five === undefined) throw new Error('no such pair');
    const differences = differencesOf(five);
    expect(twoSidedP(signedRankTest(differences))).toBe(2 / 32);
    expect(intervalOf(signedRankTest(differences), 0.95)).toBeNull();
    expect(five.p).toBeLessThan(0.05);
  });

  it('four runs against five: are four pairs, which nothing is said of', () => {
    for (const pair of compared.filter(({ before }) => before.length === 4)) {
      expect(signedRankTest(differencesOf(pair)).less(0)).toBeGreaterThanOrEqual(1 / 16);
    }
  });

  it('one run against one: has no test in either', () => {
    const one = compared.find(({ before }) => before.length === 1);
    expect(one?.p).toBe(1);
  });
});
