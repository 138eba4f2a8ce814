import { describe, expect, it } from 'vitest';
import { lineOfRun } from '../../../src/analysis/earlier-runs.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { assess } from '../../../src/gate/assess.ts';
import { checkRules } from '../../../src/gate/check-rules.ts';
import { ruleFinding, ruleSubject } from '../../../src/gate/verdict-statement.ts';
import type { HistoryLine, StoredRun } from '../../../src/record/kept-run.ts';
import type { GateRule } from '../../../src/suite/rule.ts';
import { keepsTheBoundContract } from '../../contracts/bound.ts';
import { only } from '../../fixtures/only.ts';
import { chance, gateRule, ORDINARY, ok, scriptedRun } from '../../fixtures/scripted-run.ts';

const RULE = gateRule('latency.total', { is: 'max_increase', share: 0.1 }, { variants: ['fast'], against: 'history' });

/** The record of one night, in which `fast` takes `factor` times as long as usual. */
function nightOf(night: number, factor: number, rule = RULE): StoredRun {
  const record = scriptedRun({
    ...ORDINARY,
    variants: ORDINARY.variants.slice(0, 2),
    concurrency: 1,
    tell: (...where) => ok(factor * 1000 * (0.97 + 0.06 * chance(night, ...where))),
  });
  const createdAt = new Date(Date.UTC(2026, 0, 1 + night)).toISOString();
  const segments = record.segments.map(({ started, ...segment }) => ({
    ...segment,
    started: { ...started, originAt: createdAt },
  }));
  return { ...record, segments, run: { ...record.run, id: `night-${night}`, createdAt, gate: [rule] } };
}

/** The result of the last of several nights, each with the lines of those before it. */
function lastOf(factors: readonly number[], rule = RULE) {
  const lines: HistoryLine[] = [];
  const verdicts = factors.map((factor, night) => {
    const record = nightOf(night, factor, rule);
    const { analysed, verdict } = assess(record, METRICS, null, lines);
    lines.push(lineOfRun(record.run, analysed, verdict, METRICS));
    return verdict;
  });
  const [verdict] = verdicts.slice(-1);
  if (verdict === undefined) throw new Error('no night');
  return { verdict, result: only(verdict.rules), lines };
}

const USUAL = Array<number>(8).fill(1);

keepsTheBoundContract('max_increase against earlier runs', {
  rule: RULE,
  written: '10%',
  passing: () => lastOf([...USUAL, 1, 1]).result,
  failing: () => lastOf([...USUAL, 1.2, 1.2]).result,
  empty: () => {
    const record = { ...nightOf(10, 1), samples: [], facts: [] };
    return only(assess(record, METRICS, null, lastOf(USUAL).lines).verdict.rules);
  },
});

describe('a rule against earlier runs', () => {
  it('a service that got slower by 20 %: fails in the second such run, and says by how much', () => {
    expect(lastOf([...USUAL, 1.2]).result).toMatchObject({ verdict: 'inconclusive', code: 'short_history' });
    const { verdict, result } = lastOf([...USUAL, 1.2, 1.2]);
    expect(verdict).toMatchObject({ verdict: 'fail', exitCode: 1 });
    expect(result).toMatchObject({
      code: 'beyond_limit',
      variant: 'fast',
      against: null,
      effect: 'ratio',
      n: 8,
      units: 'runs',
    });
    expect(result.estimate).toBeCloseTo(1.2, 1);
    expect(result.ciLow).toBeGreaterThan(1.1);
    expect(result.ciHigh).toBeLessThan(1.3);
    expect(ruleSubject(result)).toBe('latency.total against earlier runs, fast');
    expect(ruleFinding(result)).toMatch(
      /^1\.\d+x as long \[.*\], allowed at most 1\.10x: this run and the one before are beyond it/,
    );
  });

  it('a service that stays as it was: passes', () => {
    const { result } = lastOf([...USUAL, 1, 1]);
    expect(result).toMatchObject({ verdict: 'pass', code: 'within_history' });
    expect(result.upperBound).toBeLessThan(1.1);
    expect(ruleFinding(result)).toMatch(
      /allowed at most 1\.10x: this run and the one before are within it of 8 earlier runs; at most 1\.0\dx \(one-sided 95 % bound\)$/,
    );
  });

  it('a service that became slower by less than its nights vary: is not said to pass, and the bound says why', () => {
    const noisy = [0.93, 1.08, 0.95, 1.06, 0.92, 1.07, 0.97, 1.05, 1];
    const { result } = lastOf([...noisy, 1.12, 1.12]);
    expect(result).toMatchObject({ verdict: 'inconclusive', code: 'not_within_history' });
    expect(result.upperBound).toBeGreaterThan(1.15);
    expect(ruleFinding(result)).toMatch(
      /: this run and the one before are not shown to be within the limit; 9 earlier runs vary by 6\.\d %: below max_increase: \d\d% unchanged runs are mostly not decided; at most 1\.\d\dx \(one-sided 95 % bound\)/,
    );
  });

  it('a second run twice as slow: fails at first alone, and says what accepts it where the third is too', () => {
    const rule = { ...RULE, atFirst: 0.5 };
    const { verdict, result } = lastOf([1, 2], rule);
    expect(verdict).toMatchObject({ verdict: 'fail', exitCode: 1 });
    expect(result).toMatchObject({ code: 'beyond_at_first', n: 1, units: 'runs' });
    expect(ruleFinding(result)).toMatch(
      /^(1\.9|2\.0)\dx as long \[1\.9\d, 2\.\d+\], allowed in the first runs at most 1\.50x: beyond the limit, and not by chance, compared with 1 earlier run$/,
    );
    const again = lastOf([1, 2, 2], rule).result;
    expect(again).toMatchObject({ code: 'beyond_at_first_again', n: 1 });
    expect(ruleFinding(again)).toMatch(
      /; so was the run before; if this change is intended, .*: retake baseline RUN --restart-history$/,
    );
    const third = lastOf([1, 2, 1.3], rule).result;
    expect(third).toMatchObject({ verdict: 'inconclusive', n: 1 });
    // Also beside a run that failed; the interval holds the ratio.
    expect(third.lastRun?.ratio).toBeCloseTo(0.65, 2);
    expect(third.lastRun?.ciLow).toBeLessThanOrEqual(third.lastRun?.ratio ?? 0);
    expect(third.lastRun?.ciHigh).toBeGreaterThanOrEqual(third.lastRun?.ratio ?? 9);
  });

  it('a second run twice as slow: is not judged without at_first, and its ratio is said', () => {
    const { result } = lastOf([1, 2]);
    expect(result).toMatchObject({ verdict: 'inconclusive', code: 'short_history' });
    expect(ruleFinding(result)).toMatch(
      /^(1\.9|2\.0)\dx as long \[.*\], allowed at most 1\.10x: 1 of 9 comparable earlier runs so far$/,
    );
  });

  it('a metric that may not fall is held at first against a share below', () => {
    const rule = gateRule(
      'latency.total',
      { is: 'max_decrease', share: 0.1 },
      { variants: ['fast'], against: 'history' },
    );
    const { result } = lastOf([1, 0.5], { ...rule, atFirst: 0.3 });
    expect(result).toMatchObject({ code: 'beyond_at_first' });
    expect(result.ciHigh).toBeLessThan(0.7);
    expect(ruleFinding(result)).toContain('allowed in the first runs at least 0.70x');
  });

  it('a run that is decided again later: does not see the runs after it', () => {
    const { lines } = lastOf([...USUAL, 1.2, 1.2, 1, 1, 1]);
    const again = assess(nightOf(9, 1.2), METRICS, null, lines).verdict.rules[0];
    expect(again).toMatchObject({ verdict: 'fail', n: 8 });
  });

  it('another load or suite: its runs are not compared', () => {
    const { lines } = lastOf([...USUAL, 1]);
    const other = lines.map((line) => ({
      ...line,
      variants: line.variants.map((each) => ({ ...each, comparableDigest: '0'.repeat(64) })),
    }));
    expect(assess(nightOf(10, 1), METRICS, null, other).verdict.rules[0]).toMatchObject({ code: 'short_history' });
  });

  it('another vantage: its runs are not compared', () => {
    const { lines } = lastOf([...USUAL, 1]);
    const night = nightOf(10, 1);
    const from = (run: object) =>
      assess({ ...night, run: { ...night.run, ...run } }, METRICS, null, lines).verdict.rules[0];
    expect(from({})).toMatchObject({ n: 8 });
    expect(from({ vantage: 'us' })).toMatchObject({ code: 'short_history' });
  });

  it('a rate, or a bound: is refused before anything is sent', () => {
    const faultsOf = (rule: GateRule) =>
      checkRules({
        rules: [rule],
        variants: [{ name: 'fast', kind: 'text-to-image', baseline: false, timeoutMs: 1000 }],
        prompts: [{ id: 'fox', tags: [], kinds: ['text-to-image'] }],
        load: nightOf(0, 1).run.plan.load,
        repeats: 3,
        metrics: METRICS,
      }).map(({ key, cause }) => [key, cause]);
    expect(faultsOf(RULE)).toEqual([]);
    expect(faultsOf({ ...RULE, metric: 'error_rate', bound: { is: 'max_rise', share: 0.1 } })).toEqual([
      ['max_rise', expect.stringMatching('^rates of earlier runs are mostly 0')],
    ]);
    expect(faultsOf({ ...RULE, bound: { is: 'max', value: 1000 } })).toEqual([
      ['against', 'earlier runs are compared by the ratio of a metric'],
    ]);
    expect(faultsOf({ ...RULE, atFirst: 0.1 })).toEqual([
      ['at_first', 'at_first is 10.0 %, which is not above max_increase: 10.0 %'],
    ]);
    expect(faultsOf({ ...RULE, against: 'variant', bound: { is: 'max', value: 1000 }, atFirst: 0.5 })).toEqual([
      ['at_first', 'at_first needs against: history'],
    ]);
  });
});
