import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { RuleResult, Verdict } from '../../src/gate/verdict.ts';
import { ruleFinding } from '../../src/gate/verdict-statement.ts';
import { gateBlocks } from '../../src/report/story/gate.ts';
import { verdictLinesOf } from '../../src/report/story/verdict-lines.ts';
import type { GateRule } from '../../src/suite/rule.ts';
import { gateRule } from '../fixtures/scripted-run.ts';

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
    worst: [],
    look: null,
    unfit: [],
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
      'PASS error_rate: at most 20 %; highest: fast, 0 of 36 (at most 12.3 %)',
    ]);
    expect(said([passing('fast', 0.123)])).toEqual(['PASS error_rate: at most 20 %; fast, 0 of 36 (at most 12.3 %)']);
    expect(said(many(40))[0]).toBe('PASS error_rate: at most 20 %; highest: v39, 0 of 36 (at most 3.9 %)');
  });

  it('verdictLinesOf says a latency in the unit of its limit, where it is longer or shorter', () => {
    const rule = gateRule('latency.total', { is: 'max', value: 900 });
    const slow = { rule, unit: 'ms', verdict: 'inconclusive', code: 'spans_limit' } as Partial<RuleResult>;
    expect(said([passing('fast', 1234, { ...slow, estimate: 850, ciLow: 700, ciHigh: 1234 })])).toEqual([
      'INCONCLUSIVE latency.total: at most 900 ms; fast 850 ms [700 ms, 1234 ms]: the interval contains the limit',
    ]);
    const open = { ...slow, estimate: null, ciLow: 700, ciHigh: Infinity };
    expect(said([passing('fast', 1234, open as Partial<RuleResult>)])[0]).toContain('; fast above 700 ms: ');
  });

  it('verdictLinesOf says that a rule is about all prompts like these, which its twin without scope is not', () => {
    const subjectOf = (scope: GateRule['scope']) =>
      verdictLinesOf([passing('fast', 0.1, { rule: { ...ERRORS, scope } })]).map(({ subject }) => subject);
    expect(subjectOf('prompts')).toEqual(['error_rate for all prompts like these']);
    expect(subjectOf('cells')).toEqual(['error_rate']);
  });

  it.each([
    ['levels', 'at most 1 level; fast 2.50 levels [0.500 levels, 4.00 levels]'],
    ['levels2', 'at most 1 levels²; fast 2.50 levels² [0.500 levels², 4.00 levels²]'],
  ] as const)('verdictLinesOf says the unit %s of a rule and what it found', (unit, words) => {
    const rule = gateRule('edit.outside', { is: 'max', value: 1 });
    const wide = { verdict: 'inconclusive', code: 'spans_limit', estimate: 2.5, ciLow: 0.5, ciHigh: 4 } as const;
    expect(said([passing('fast', 4, { ...wide, rule, unit } as Partial<RuleResult>)])[0]).toContain(`: ${words}: `);
  });

  it('verdictLinesOf says in words that a result marked with a question mark is inconclusive and let pass', () => {
    const undecided = { verdict: 'inconclusive', code: 'spans_limit', letPass: true } as Partial<RuleResult>;
    expect(said([passing('fast', 0.3, undecided)])).toEqual([
      expect.stringMatching(/^PASS\? .*; inconclusive, but this rule lets that pass \(on_inconclusive: pass\)$/),
    ]);
    expect(said([passing('fast', 0.3, { ...undecided, letPass: false })])[0]).not.toContain('on_inconclusive');
  });

  it('verdictLinesOf counts of a rule that allows nothing who passes, and names where it found something', () => {
    const rule = gateRule('determinism.pixel', { is: 'none', event: 'departure' });
    const same = { rule, code: 'no_event' } as Partial<RuleResult>;
    expect(said([passing('standard', 0.05, same), passing('fast', 0.123, same)])).toEqual([
      'PASS determinism.pixel: no take may differ; none did (2 variants)',
    ]);
    expect(said([passing('standard', 0.05, same)])).toEqual([
      'PASS determinism.pixel: no take may differ; none did (standard)',
    ]);
    const found = { rule, verdict: 'fail', code: 'event_found', estimate: 0.25, worst: [{ prompt: 'fox', value: 1 }] };
    expect(said([passing('fast', 0.5, found as Partial<RuleResult>)])).toEqual([
      'FAIL determinism.pixel: no take may differ; fast 9 of 36 takes (fox)',
    ]);
  });

  it('verdictLinesOf says why a change passes whose bound lies beyond the limit', () => {
    const rule = gateRule('latency.total', { is: 'max_increase', share: 0.05 });
    const ratio = { rule, effect: 'ratio', estimate: 1.01, against: 'standard', units: 'cells' } as Partial<RuleResult>;
    expect(said([passing('fast', 1.12, ratio), passing('tiny', 1.02, ratio)])).toEqual([
      'PASS latency.total against standard: at most 1.05x as long; slowest: fast, no sign of an increase; 3 times the limit is excluded: at most 1.12x',
    ]);
    expect(said([passing('fast', 1.04, ratio), passing('tiny', 1.02, ratio)])).toEqual([
      'PASS latency.total against standard: at most 1.05x as long; slowest: fast, at most 1.04x',
    ]);
  });

  it('a rule names the variant that all are compared with, and none where kinds have their own', () => {
    const subjects = (...baselines: readonly string[]) =>
      verdictLinesOf(baselines.map((against) => passing('fast', 1, { against } as Partial<RuleResult>))).map(
        ({ subject }) => subject,
      );
    expect(subjects('standard', 'standard')).toEqual(['error_rate against standard']);
    expect(subjects('standard', 'anime-standard')).toEqual(['error_rate']);
  });

  it('a rule that is undecided and let pass is folded on the first screen; one that decides is at sight', () => {
    const open = (letPass: boolean) =>
      passing('fast', 1, { verdict: 'inconclusive', code: 'spans_limit', letPass } as Partial<RuleResult>);
    const atSight = (...rules: readonly RuleResult[]) => {
      const verdict = { rules, complete: true, verdict: 'fail', baselineRun: null, looks: null } as unknown as Verdict;
      const [block] = gateBlocks({ verdict, analysis: { variants: [] } as unknown as Analysis }, 'screen');
      return [block?.shown.length, block?.folded.length];
    };
    expect(atSight(open(true))).toEqual([0, 1]);
    expect(atSight(open(false))).toEqual([1, 0]);
    expect(atSight(failing, open(false))).toEqual([1, 1]);
  });

  it('a pass that is not shown to be within its limit says no number beyond it as a bound, on any surface', () => {
    const difference = { effect: 'difference', unit: '1', against: 'small' } as const;
    const score = { effect: 'difference', unit: 'score', against: 'small' } as const;
    const ratio = { effect: 'ratio', unit: '1', against: 'small' } as const;
    const cases: readonly (readonly [GateRule, Partial<RuleResult>, number, string])[] = [
      [
        gateRule('error_rate', { is: 'max_rise', share: 0.05 }),
        difference,
        0.0798,
        'no sign of an increase; 3 times the limit is excluded: at most +7.98 points',
      ],
      [
        gateRule('score.votes', { is: 'max_rise', share: 0.2 }),
        difference,
        0.216,
        'no sign of a net loss; 3 times the limit is excluded: at most +21.6 points',
      ],
      [
        gateRule('latency.total', { is: 'max_increase', share: 0.05 }),
        ratio,
        1.12,
        'no sign of an increase; 3 times the limit is excluded: at most 1.12x',
      ],
      [
        gateRule('signal.luma', { is: 'max_decrease', share: 0.05 }),
        ratio,
        0.9,
        'no sign of a decrease; 3 times the limit is excluded: at least 0.90x',
      ],
      [
        gateRule('score.hps', { is: 'max_decrease', amount: 0.02 }),
        score,
        -0.03,
        'no sign of a decrease; 3 times the limit is excluded: decreases by at most 0.03',
      ],
      [
        gateRule('score.hps', { is: 'max_increase', amount: 0.02 }),
        score,
        0.03,
        'no sign of an increase; 3 times the limit is excluded: increases by at most 0.03',
      ],
      [
        gateRule('latency.total', { is: 'max_increase', share: 0.05 }),
        { ...ratio, ciLow: 1.02, ciHigh: 1.07 },
        1.06,
        'increase within the limit; 3 times the limit is excluded: at most 1.06x',
      ],
    ];
    for (const [rule, more, upperBound, words] of cases) {
      const result = passing('large', upperBound, { rule, ...more } as Partial<RuleResult>);
      const [line = ''] = said([result]);
      expect(line).toMatch(/; large, (no sign|increase)/);
      for (const text of [line, ruleFinding(result)]) {
        expect(text.replace(/0\.0300/, '0.03')).toContain(words);
        expect(text).not.toContain('within it');
      }
    }
  });

  it('verdictLinesOf gives each rule a line for those that fail, first, and names the worst three', () => {
    const undecided = passing('odd', 0.3, { verdict: 'inconclusive', code: 'spans_limit' } as Partial<RuleResult>);
    const worse = (name: string, estimate: number) => ({ ...failing, variant: name, estimate });
    const fails = [failing, worse('slower', 0.5), worse('slowest', 0.6), worse('bad', 0.45)];
    expect(said([passing('a', 0.05), undecided, ...fails, passing('b', 0.04)])).toEqual([
      'FAIL error_rate: at most 20 %; slowest 60.0 %, slower 50.0 %, bad 45.0 % and 1 more',
      'INCONCLUSIVE error_rate: at most 20 %; odd 0 %: the interval contains the limit',
      'PASS error_rate: at most 20 %; highest: a, 0 of 36 (at most 5.0 %)',
    ]);
  });

  it('verdictLinesOf says a ratio that fails with its interval, and where it is worst', () => {
    const rule = gateRule('latency.total', { is: 'max_increase', share: 0.05 });
    const slow = { rule, verdict: 'fail', code: 'beyond_limit', effect: 'ratio', ciLow: 1.12, ciHigh: 1.29 };
    const failed = { ...slow, estimate: 1.2, worst: [{ prompt: 'fox', value: 1.4 }] } as Partial<RuleResult>;
    expect(said([passing('fast', 1.3, failed)])).toEqual([
      'FAIL latency.total: at most 1.05x as long; fast 1.20x [1.12, 1.29]; worst in fox: 1.40x as long',
    ]);
    expect(said([passing('fast', 1.3, failed), passing('tiny', 1.3, failed)])).toEqual([
      'FAIL latency.total: at most 1.05x as long; fast 1.20x and tiny 1.20x',
    ]);
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
      expect.stringMatching(/^INCONCLUSIVE error_rate: at most 20 %; a and b: no stored baseline/),
      expect.stringMatching(/^INCONCLUSIVE stability\.pixel: no output may change; a and b: no stored baseline/),
      expect.stringMatching(/^INCONCLUSIVE error_rate: at most 20 %; c: too few comparable runs/),
    ]);
  });

  it('verdictLinesOf names the lowest lower bound of a rule with a least value', () => {
    const least = { rule: gateRule('throughput', { is: 'min', value: 1 }), unit: '1/s' } as const;
    expect(said([passing('b', 3, least), passing('a', 2, least)])).toEqual([
      'PASS throughput: at least 1 / s; lowest: a, at least 2.00 / s',
    ]);
  });

  it('verdictLinesOf says a share that stays similar in the direction of its rule', () => {
    const rule = gateRule('likeness', { is: 'min', value: 0.75 }, { statistic: 'similar' });
    const similar = { rule, units: 'cells', n: 12, estimate: 1 } as Partial<RuleResult>;
    expect(said([passing('fast', 0.779, similar), passing('anime-fast', 0.8, similar)])).toEqual([
      'PASS likeness similar: at least 75 %; lowest: fast, 12 of 12 (at least 77.9 %)',
    ]);
  });

  it('verdictLinesOf keeps rules apart', () => {
    expect(said([passing('a', 0.05), passing('a', 0.05, { index: 1 })])).toHaveLength(2);
  });
});
