import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  binomialBelow,
  binomialPmf,
  inverseRegularisedBeta,
  normalUpperTail,
  regularisedBeta,
  studentCriticalSquared,
} from '../../src/statistics/distributions.ts';
import { twoSidedP } from '../../src/statistics/pair-test.ts';
import { quantile, rankInterval, sortSample } from '../../src/statistics/quantile.ts';
import { clopperPearson, clopperPearsonLower, clopperPearsonUpper } from '../../src/statistics/rate-interval.ts';
import { exactMcNemar } from '../../src/statistics/rise-test.ts';
import { hodgesLehmann, signedRankTest } from '../../src/statistics/signed-rank.ts';

const number = z.number();
const list = z.array(number);
const golden = z
  .object({
    quantiles: z.array(z.tuple([number, number, list])),
    intervals: z.array(z.tuple([number, number, z.tuple([number.nullable(), number.nullable(), number.nullable()])])),
    binomial: z.array(z.tuple([number, number, number, number, number])),
    beta: z.array(z.tuple([number, number, number, number])),
    inverse: z.array(z.tuple([number, number, number, number])),
    clopper: z.array(z.tuple([number, number, number, number, number, number, number])),
    student: z.array(z.tuple([number, number, number])),
    normal: z.array(z.tuple([number, number])),
    signed: z.array(z.tuple([list, number, z.tuple([number, number, number])])),
    walsh: z.array(z.tuple([number, list])),
    mcnemar: z.array(z.tuple([number, number, z.tuple([number, number, number])])),
  })
  .parse(JSON.parse(readFileSync(new URL('../golden/statistics.json', import.meta.url), 'utf8')));

/** Equal to 1e-10, relative to what is expected. */
function expectClose(actual: number | null | undefined, expected: number, about: string): void {
  const difference = Math.abs((actual ?? Number.NaN) - expected);
  if (!(difference <= 1e-10 * Math.abs(expected))) {
    throw new Error(`${about}: ${actual}, R says ${expected}`);
  }
}

describe('agreement with R', () => {
  it('the agreement with R has a thousand vectors', () => {
    expect(Object.values(golden).reduce((total, set) => total + set.length, 0)).toBeGreaterThan(1000);
  });

  it('quantile agrees with R: quantile(type = 8)', () => {
    for (const [percent, value, sample] of golden.quantiles) {
      expectClose(quantile(sortSample(sample), percent), value, `p${percent} of ${sample.length}`);
    }
  });

  it('the shortest pair of ranks is the one found by trying all', () => {
    for (const [percent, n, [low, high, coverage]] of golden.intervals) {
      const found = rankInterval(n, percent, 0.95);
      expect([percent, n, found?.lowRank ?? null, found?.highRank ?? null]).toEqual([percent, n, low, high]);
      if (coverage !== null) expectClose(found?.coverage, coverage, `coverage of p${percent}, n ${n}`);
    }
  });

  it('binomial agrees with R: dbinom and pbinom', () => {
    for (const [k, n, p, density, below] of golden.binomial) {
      expectClose(binomialPmf(k, n, p), density, `dbinom(${k}, ${n}, ${p})`);
      if (below > 1e-12) expectClose(binomialBelow(n, p)[k + 1], below, `pbinom(${k}, ${n}, ${p})`);
    }
  });

  it('beta agrees with R: pbeta and qbeta', () => {
    for (const [a, b, x, share] of golden.beta) expectClose(regularisedBeta(x, a, b), share, `pbeta(${x}, ${a}, ${b})`);
    for (const [share, a, b, x] of golden.inverse) {
      expectClose(inverseRegularisedBeta(share, a, b), x, `qbeta(${share}, ${a}, ${b})`);
    }
  });

  it('Clopper-Pearson agrees with R: binom.test, two-sided and one-sided', () => {
    for (const [events, n, level, low, high, lower, upper] of golden.clopper) {
      const about = `${events} of ${n} at ${level}`;
      const interval = clopperPearson(events, n, level);
      expectClose(interval.low, low, about);
      expectClose(interval.high, high, about);
      expectClose(clopperPearsonLower(events, n, level), lower, about);
      expectClose(clopperPearsonUpper(events, n, level), upper, about);
    }
  });

  it('student agrees with R: qt', () => {
    for (const [degrees, level, t] of golden.student) {
      expectClose(Math.sqrt(studentCriticalSquared(degrees, level)), t, `qt for ${degrees} degrees at ${level}`);
    }
  });

  it('normal agrees with R: pnorm, far out too', () => {
    for (const [z, tail] of golden.normal) expectClose(normalUpperTail(z), tail, `pnorm(${z}, lower.tail = FALSE)`);
  });

  it('signedRankTest agrees with R: wilcox.test, exact without ties and approximate with them', () => {
    for (const [differences, rankSum, [greater, less, twoSided]] of golden.signed) {
      const about = `${differences.length} differences, ranks ${rankSum}`;
      const test = signedRankTest(differences);
      expectClose(test.greater(0), greater, about);
      expectClose(test.less(0), less, about);
      expectClose(twoSidedP(test), twoSided, about);
    }
  });

  it('hodgesLehmann agrees with the median of Walsh averages', () => {
    for (const [value, differences] of golden.walsh) expectClose(hodgesLehmann(differences), value, `${differences}`);
  });

  it('mcnemar agrees with R: binom.test of pairs that disagree', () => {
    for (const [risen, fallen, [greater, less]] of golden.mcnemar) {
      expectClose(exactMcNemar(risen, fallen), greater, `${risen} against ${fallen}`);
      expectClose(exactMcNemar(fallen, risen), less, `${fallen} against ${risen}`);
    }
  });
});
