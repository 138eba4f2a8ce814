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
      'PASS error_rate: at most 20.0 %: standard, fast, tiny pass; one-sided 95 % bound: at most 12.3 %, of fast',
    ]);
  });

  it('verdictLinesOf gives a number instead of more than six names', () => {
    expect(said(many(7))[0]).toContain('all 7 variants pass');
    expect(said([...many(38), failing, { ...failing, variant: 'slower' }]).at(-1)).toContain(
      '38 of 40 variants pass; one-sided 95 % bound: at most 3.7 %, of v37',
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
    expect(lines[0]).toContain('40.0 %, at most 20.0 %');
  });

  it('verdictLinesOf names the lowest lower bound of a rule with a least value', () => {
    const least = { rule: gateRule('throughput', { is: 'min', value: 1 }), unit: '1/s' } as const;
    expect(said([passing('a', 2, least), passing('b', 3, least)])[0]).toMatch(/bound: at least 2\.00.*, of a$/);
  });

  it('verdictLinesOf keeps rules apart', () => {
    expect(said([passing('a', 0.05), passing('a', 0.05, { index: 1 })])).toHaveLength(2);
  });
});
