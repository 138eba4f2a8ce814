import { describe, expect, it } from 'vitest';
import type { RuleResult } from '../../../src/compare/gate/verdict.ts';
import { verdictLinesOf } from '../../../src/report/statements/verdict-lines.ts';
import { gateRule } from '../../fixtures/gate-rule.ts';

const ERRORS = gateRule('error_rate', { is: 'max', value: 0.2 });

function passing(variant: string, upperBound: number, more: Partial<RuleResult> = {}): RuleResult {
  return {
    index: 0,
    rule: ERRORS,
    variant,
    kind: 'text-to-image',
    against: null,
    verdict: 'pass',
    code: 'within_limit',
    letPass: false,
    effect: 'value',
    unit: '1',
    estimate: 0,
    ciLow: null,
    ciHigh: null,
    upperBound,
    boundLevel: 0.95,
    p: null,
    pAdjusted: null,
    n: 36,
    units: 'takes',
    missingPairs: 0,
    withoutFlagged: null,
    detectable: null,
    promptEffect: null,
    worst: [],
    look: null,
    ...more,
  } as RuleResult;
}

const many = (n: number) => Array.from({ length: n }, (_, at) => passing(`v${at}`, at / 1000));
const failing = passing('slow', 0.5, { verdict: 'fail', code: 'beyond_limit', estimate: 0.4 } as Partial<RuleResult>);
const said = (results: readonly RuleResult[]) =>
  verdictLinesOf(results).map(({ word, subject, finding }) => `${word} ${subject}: ${finding}`);

describe('verdictLinesOf', () => {
  it('verdictLinesOf gives variants that pass a rule one line, with the bound that is nearest to the limit', () => {
    expect(said([passing('standard', 0.05), passing('fast', 0.123), passing('tiny', 0.08)])).toEqual([
      'PASS error_rate: allowed at most 20.0 %; standard, fast and tiny pass; closest to the limit: fast, at most 12.3 % (one-sided 95 % bound)',
    ]);
  });

  it('verdictLinesOf says a latency in the unit of its limit, where it is longer or shorter', () => {
    const rule = gateRule('latency.total', { is: 'max', value: 900 });
    const slow = { rule, unit: 'ms', verdict: 'inconclusive', code: 'spans_limit' } as Partial<RuleResult>;
    expect(said([passing('fast', 1234, { ...slow, estimate: 850, ciLow: 700, ciHigh: 1234 })])[0]).toContain(
      '850 ms [700 ms, 1234 ms], allowed at most 900 ms: the interval contains the limit; at most 1234 ms (one-sided',
    );
  });

  it('verdictLinesOf says in words that a result marked with a question mark is inconclusive and let pass', () => {
    const undecided = { verdict: 'inconclusive', code: 'spans_limit', letPass: true } as Partial<RuleResult>;
    expect(said([passing('fast', 0.3, undecided)])).toEqual([
      expect.stringMatching(/^PASS\? .*; inconclusive, but this rule lets that pass \(on_inconclusive: pass\)$/),
    ]);
    expect(said([passing('fast', 0.3, { ...undecided, letPass: false })])[0]).not.toContain('on_inconclusive');
  });

  it('verdictLinesOf says of a rule that allows nothing what may still come, which is not what is allowed', () => {
    const rule = gateRule('determinism.pixel', { is: 'none', event: 'departure' });
    const same = { rule, code: 'no_event' } as Partial<RuleResult>;
    expect(said([passing('standard', 0.05, same), passing('fast', 0.123, same)])).toEqual([
      'PASS determinism.pixel: no differing take is allowed; none found: standard and fast; highest bound: fast, at most 12.3 % of further takes would differ (one-sided 95 % bound)',
    ]);
    expect(said([passing('standard', 0.05, same)])[0]).toContain(
      'none found; at most 5.0 % of further takes would differ (one-sided 95 % bound)',
    );
  });

  it('verdictLinesOf says why a change passes whose bound lies beyond the limit', () => {
    const rule = gateRule('latency.total', { is: 'max_increase', share: 0.05 });
    const ratio = { rule, effect: 'ratio', estimate: 1.01, against: 'standard', units: 'cells' } as Partial<RuleResult>;
    const beyond = '(one-sided 95 % bound); 3 times the limit is excluded, as a pass needs';
    expect(said([passing('fast', 1.12, ratio), passing('tiny', 1.02, ratio)])[0]).toContain(
      `fast, at most 1.12x ${beyond}`,
    );
    expect(said([passing('fast', 1.04, ratio), passing('tiny', 1.02, ratio)])[0]).toMatch(
      /at most 1\.04x \(one-sided 95 % bound\)$/,
    );
    expect(said([passing('fast', 1.12, ratio)])[0]).toMatch(
      /at most 1\.12x; 3 times the limit is excluded, as a pass needs$/,
    );
  });

  it('verdictLinesOf shows the bound of a rate whose interval contains the limit', () => {
    const undecided = { verdict: 'inconclusive', code: 'spans_limit', estimate: 0.111 } as Partial<RuleResult>;
    expect(said([passing('odd', 0.236, undecided)])).toEqual([
      'INCONCLUSIVE error_rate, odd: 11.1 %, allowed at most 20.0 %: the interval contains the limit; at most 23.6 % (one-sided 95 % bound)',
    ]);
  });

  it('verdictLinesOf names three of more than six variants, or says that it is all', () => {
    expect(said(many(7))[0]).toContain('all 7 variants pass');
    expect(said([...many(38), failing, { ...failing, variant: 'slower' }]).at(-1)).toContain(
      'v0, v1, v2 and 35 more pass; closest to the limit: v37, at most 3.7 % (one-sided 95 % bound)',
    );
  });

  it('verdictLinesOf says each fail and each undecided result by itself and first, with its numbers', () => {
    const undecided = passing('odd', 0.3, { verdict: 'inconclusive', code: 'spans_limit' } as Partial<RuleResult>);
    const lines = said([passing('a', 0.05), undecided, failing, passing('b', 0.04)]);
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'FAIL error_rate, slow',
      'INCONCLUSIVE error_rate, odd',
      'PASS error_rate',
    ]);
    expect(lines[0]).toContain('40.0 %, allowed at most 20.0 %');
  });

  it('verdictLinesOf gives variants that have no value for the same reason one line, without a count of nothing', () => {
    const none = {
      verdict: 'inconclusive',
      code: 'no_baseline',
      estimate: null,
      upperBound: null,
      n: 0,
    } as Partial<RuleResult>;
    const stable = {
      ...none,
      rule: gateRule('stability.pixel', { is: 'none', event: 'change' }),
      index: 1,
      units: 'cells',
    };
    const other = { ...none, code: 'short_history' } as Partial<RuleResult>;
    const lines = said([
      ...['a', 'b'].map((variant) => passing(variant, 0, none)),
      ...['a', 'b'].map((variant) => passing(variant, 0, stable as Partial<RuleResult>)),
      passing('c', 0, other),
    ]);
    expect(lines).toEqual([
      expect.stringMatching(
        /^INCONCLUSIVE error_rate: a and b: no value \(limit: at most 20\.0 %\); no stored baseline/,
      ),
      expect.stringMatching(/^INCONCLUSIVE stability\.pixel: a and b: no change is allowed: no stored baseline/),
      expect.stringMatching(/^INCONCLUSIVE error_rate, c: no value \(limit: at most 20\.0 %\); /),
    ]);
  });

  it('verdictLinesOf names the lowest lower bound of a rule with a least value', () => {
    const least = { rule: gateRule('throughput', { is: 'min', value: 1 }), unit: '1/s' } as const;
    expect(said([passing('a', 2, least), passing('b', 3, least)])[0]).toMatch(
      /closest to the limit: a, at least 2\.00.* \(one-sided 95 % bound\)$/,
    );
  });

  it('verdictLinesOf keeps rules apart', () => {
    expect(said([passing('a', 0.05), passing('a', 0.05, { index: 1 })])).toHaveLength(2);
  });
});
