import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bestSplit, changePoints } from '../../src/statistics/change-points.ts';
import { normalCriticalValue, studentQuantile } from '../../src/statistics/distributions.ts';
import { benjaminiHochberg, holm } from '../../src/statistics/multiple-tests.ts';
import { intervalOf, twoSidedP } from '../../src/statistics/pair-test.ts';
import { predictionMargin } from '../../src/statistics/prediction-margin.ts';
import { clopperPearsonLower, clopperPearsonUpper } from '../../src/statistics/rate-interval.ts';
import { tangoScore } from '../../src/statistics/rise-test.ts';
import { signedRankTest } from '../../src/statistics/signed-rank.ts';

const number = z.number();
const list = z.array(number);
const tails = z.tuple([number, number, number]);

const fromR = z
  .object({
    untied: z.array(z.tuple([number, number, z.tuple([number, number]), number, number, list])),
    inverted: z.array(z.tuple([number, z.tuple([number.nullable(), number.nullable()]), list])),
    tied: z.array(z.tuple([list, tails])),
    infinite: z.array(z.tuple([list, number, number, tails])),
    adjusted: z.array(z.tuple([number, list, list, list])),
    student: z.array(z.tuple([number, number, number])),
    prediction: z.array(z.tuple([number, number, number, list])),
    critical: z.array(z.tuple([number, number])),
    tango: z.array(z.tuple([number, number, number, number, number, number, number, number])),
  })
  .parse(read('comparison.json'));

const fromPython = z
  .object({
    named: z.array(z.object({ name: z.string(), values: list, alpha: number, changes: list })),
    splits: z.array(z.tuple([number, number, list])),
    signs: z.array(z.tuple([list, tails])),
    bounds: z.array(z.tuple([number, number, number, number, number])),
    discovered: z.array(z.tuple([list, list])),
  })
  .parse(read('series.json'));

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8'));
}

/** Equal to 1e-10, relative to what is expected, or absolutely where that is below 1. */
function expectClose(actual: number | null | undefined, expected: number, about: string): void {
  const difference = Math.abs((actual ?? Number.NaN) - expected);
  if (!(difference <= 1e-10 * Math.max(1, Math.abs(expected)))) {
    throw new Error(`${about}: ${actual}, expected ${expected}`);
  }
}

function expectTails(
  differences: readonly number[],
  [greater, less, twoSided]: readonly [number, number, number],
): void {
  const about = `${differences.length} differences: ${differences}`;
  const test = signedRankTest(differences);
  expectClose(test.greater(0), greater, about);
  expectClose(test.less(0), less, about);
  expectClose(twoSidedP(test), twoSided, about);
}

describe('the tests of comparisons agree with R', () => {
  it('signedRankTest without ties agrees with wilcox.test, two-sided and one-sided', () => {
    for (const [level, estimate, [low, high], lower, upper, values] of fromR.untied) {
      const about = `${values.length} values at ${level}`;
      const test = signedRankTest(values);
      expectClose(test.estimate, estimate, about);
      const interval = intervalOf(test, level);
      expectClose(interval?.low, low, about);
      expectClose(interval?.high, high, about);
      expectClose(test.lower(level), lower, about);
      expectClose(test.upper(level), upper, about);
    }
  });

  it('signedRankTest with ties agrees with the tests of coin and R tried at every shift', () => {
    for (const [level, [low, high], values] of fromR.inverted) {
      const interval = intervalOf(signedRankTest(values), level);
      // Infinite ends: fewer values than reject anything.
      if (low === null && high === null && interval === null) continue;
      expectClose(interval?.low, low ?? -Infinity, `${values} at ${level}`);
      expectClose(interval?.high, high ?? Infinity, `${values} at ${level}`);
    }
  });

  it('signedRank with ties agrees with coin', () => {
    for (const [differences, p] of fromR.tied) expectTails(differences, p);
  });

  it('signedRankTest with infinite differences agrees with coin', () => {
    for (const [finite, above, below, p] of fromR.infinite) {
      expectTails([...finite, ...Array<number>(above).fill(Infinity), ...Array<number>(below).fill(-Infinity)], p);
    }
  });

  it('holm agrees with p.adjust, larger families included', () => {
    for (const [m, ps, kept] of fromR.adjusted)
      for (const [at, p] of holm(ps, m).entries()) expectClose(p, kept[at] ?? Number.NaN, `Holm ${ps} of ${m}`);
  });

  it('studentQuantile agrees with qt, normalCriticalValue with qnorm', () => {
    for (const [level, degrees, t] of fromR.student) expectClose(studentQuantile(level, degrees), t, `qt ${level}`);
    for (const [tail, critical] of fromR.critical) expectClose(normalCriticalValue(tail), critical, `qnorm ${tail}`);
  });

  it('predictionMargin agrees with predict.lm', () => {
    for (const [level, mean, upper, values] of fromR.prediction) {
      const found = predictionMargin(values, level);
      expectClose(found?.mean, mean, `${values}`);
      expectClose((found?.mean ?? 0) + (found?.margin ?? 0), upper, `${values}`);
    }
  });

  it('tangoScore agrees with the likelihood maximised by uniroot', () => {
    for (const [pairs, candidateOnly, baselineOnly, rise, statistic, level, low, high] of fromR.tango) {
      const about = `${candidateOnly} and ${baselineOnly} of ${pairs}, rise ${rise}`;
      const score = (at: number) => tangoScore({ pairs, candidateOnly, baselineOnly }, at).z;
      expectClose(score(rise), statistic, about);
      const critical = normalCriticalValue((1 - level) / 2);
      expectClose(score(low), critical, about);
      expectClose(score(high), -critical, about);
    }
  });
});

describe('series and exact tests agree with NumPy and SciPy', () => {
  it('bestSplit agrees with the definition, tried at every split up to every end', () => {
    for (const [index, statistic, series] of fromPython.splits) {
      const found = bestSplit(Float64Array.from(series), 0, series.length, 1);
      expectClose(found.statistic, statistic, `${series}`);
      expect(found.index, `${series}`).toBe(index);
    }
  });

  it('changePoints finds the changes of the series that Otava is tested with', () => {
    for (const { name, values, alpha, changes } of fromPython.named) {
      const found = changePoints(values, { alpha }).map(({ index }) => index);
      expect([name, found]).toEqual([name, changes]);
    }
  });

  it('signedRank agrees with wilcoxon, all signs tried', () => {
    for (const [differences, p] of fromPython.signs) expectTails(differences, p);
  });

  it('one-sided Clopper-Pearson bounds agree with binomtest', () => {
    for (const [events, n, level, lower, upper] of fromPython.bounds) {
      expectClose(clopperPearsonLower(events, n, level), lower, `${events} of ${n}`);
      expectClose(clopperPearsonUpper(events, n, level), upper, `${events} of ${n}`);
    }
  });

  it('benjaminiHochberg agrees with false_discovery_control', () => {
    for (const [ps, adjusted] of fromPython.discovered) {
      for (const [at, p] of benjaminiHochberg(ps).entries()) expectClose(p, adjusted[at] ?? Number.NaN, `${ps}`);
    }
  });
});
