import { expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import type { RuleResult, Verdict } from '../../src/gate/verdict.ts';
import { verdictLinesOf } from '../../src/gate/verdict-lines.ts';
import { ruleFinding } from '../../src/gate/verdict-statement.ts';
import { rulesAtSight } from '../../src/report/first-screen.ts';
import type { Bound } from '../../src/suite/rule.ts';
import { reviewed } from '../fixtures/reviewed.ts';
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

/** A result of a variant, with what is not as of one that passes. */
const of = (more: object, variant = 'fast', upperBound = 1) =>
  passing(variant, upperBound, more as Partial<RuleResult>);
const said = (...results: readonly RuleResult[]) =>
  verdictLinesOf(results).map(({ word, subject, finding }) => `${word} ${subject}: ${finding}`);

const UNDECIDED = { verdict: 'inconclusive', code: 'spans_limit' } as const;
const FAILING = { verdict: 'fail', code: 'beyond_limit', estimate: 0.4 } as const;
const NO_BASELINE = { verdict: 'inconclusive', code: 'no_baseline', estimate: null, upperBound: null, n: 0 } as const;
const NO_CHANGE = {
  rule: gateRule('stability.pixel', { is: 'none', event: 'change' }),
  index: 1,
  units: 'cells',
} as const;
const NO_DEPARTURE = { rule: gateRule('determinism.pixel', { is: 'none', event: 'departure' }) };
const LATENCY_900 = { ...UNDECIDED, rule: gateRule('latency.total', { is: 'max', value: 900 }), unit: 'ms' } as const;
const LEVELS = {
  ...UNDECIDED,
  rule: gateRule('edit.outside', { is: 'max', value: 1 }),
  estimate: 2.5,
  ciLow: 0.5,
  ciHigh: 4,
};
const INCREASE_5 = gateRule('latency.total', { is: 'max_increase', share: 0.05 });
const RATIO = { rule: INCREASE_5, effect: 'ratio', estimate: 1.01, against: 'standard', units: 'cells' } as const;
const SLOWER = {
  ...{ rule: INCREASE_5, effect: 'ratio', verdict: 'fail', code: 'beyond_limit' },
  ...{ estimate: 1.2, ciLow: 1.12, ciHigh: 1.29, worst: [{ prompt: 'fox', value: 1.4 }] },
} as const;
const AT_LEAST_1 = { rule: gateRule('throughput', { is: 'min', value: 1 }), unit: '1/s' } as const;
const SIMILAR = {
  ...{ rule: gateRule('likeness', { is: 'min', value: 0.75 }, { statistic: 'similar' }) },
  ...{ units: 'cells', n: 12, estimate: 1 },
} as const;

reviewed('verdict-lines', {
  'one passes': () => said(passing('fast', 0.123)),
  'three pass': () => said(passing('standard', 0.05), passing('fast', 0.123), passing('tiny', 0.08)),
  'forty pass': () => said(...Array.from({ length: 40 }, (_, at) => passing(`v${at}`, at / 1000))),
  'two rules': () => said(passing('a', 0.05), passing('a', 0.05, { index: 1 })),
  // Those that fail first, the worst three by name.
  'four fail, one is undecided, two pass': () =>
    said(
      passing('a', 0.05),
      of(UNDECIDED, 'odd', 0.3),
      ...[0.4, 0.5, 0.6, 0.45].map((estimate) => of({ ...FAILING, estimate }, `of ${estimate}`, 0.5)),
      passing('b', 0.04),
    ),
  'in the unit of the limit': () => said(of({ ...LATENCY_900, estimate: 850, ciLow: 700, ciHigh: 1234 })),
  'above a number': () => said(of({ ...LATENCY_900, estimate: null, ciLow: 700, ciHigh: Infinity })),
  levels: () => said(of({ ...LEVELS, unit: 'levels' })),
  'levels squared': () => said(of({ ...LEVELS, unit: 'levels2' })),
  'undecided, let pass': () => said(of({ ...UNDECIDED, letPass: true }, 'fast', 0.3)),
  'undecided, not let pass': () => said(of(UNDECIDED, 'fast', 0.3)),
  'none of one departs': () => said(of({ ...NO_DEPARTURE, code: 'no_event' })),
  'none of two departs': () =>
    said(...['standard', 'fast'].map((name) => of({ ...NO_DEPARTURE, code: 'no_event' }, name))),
  'some depart': () =>
    said(
      of({ ...NO_DEPARTURE, ...FAILING, code: 'event_found', estimate: 0.25, worst: [{ prompt: 'fox', value: 1 }] }),
    ),
  'a change that passes': () => said(of(RATIO, 'fast', 1.04), of(RATIO, 'tiny', 1.02)),
  'a change that passes with its bound beyond the limit': () => said(of(RATIO, 'fast', 1.12), of(RATIO, 'tiny', 1.02)),
  'a change that fails': () => said(of(SLOWER)),
  'two that fail': () => said(of(SLOWER), of(SLOWER, 'tiny')),
  'one baseline variant': () => said(...['standard', 'standard'].map((against) => of({ against }))),
  'a baseline variant of each kind': () => said(...['standard', 'anime-standard'].map((against) => of({ against }))),
  'without a value, for two reasons': () =>
    said(
      ...['a', 'b'].map((variant) => of(NO_BASELINE, variant)),
      ...['a', 'b'].map((variant) => of({ ...NO_BASELINE, ...NO_CHANGE }, variant)),
      of({ ...NO_BASELINE, code: 'short_history' }, 'c'),
    ),
  'a least value': () => said(of(AT_LEAST_1, 'b', 3), of(AT_LEAST_1, 'a', 2)),
  'a least share': () => said(of(SIMILAR, 'fast', 0.779), of(SIMILAR, 'anime-fast', 0.8)),
});

it('a rule that is undecided and let pass is folded on the first screen; one that decides is at sight', () => {
  const open = (letPass: boolean) => of({ ...UNDECIDED, letPass });
  const atSight = (...rules: readonly RuleResult[]) => {
    const verdict = { rules, complete: true, verdict: 'fail', baselineRun: null, looks: null } as unknown as Verdict;
    const analysis = { variants: [], run: { against: null } } as unknown as Analysis;
    const { shown, folded } = rulesAtSight({ verdict, analysis, comparisons: [] });
    return [shown.length, folded.length];
  };
  expect(atSight(open(true))).toEqual([0, 1]);
  expect(atSight(open(false))).toEqual([1, 0]);
  expect(atSight(of(FAILING, 'slow'), open(false))).toEqual([1, 1]);
});

/** What is said of a pass with its bound beyond the limit, in the line of a rule and in its finding. */
function beyond(metric: string, bound: Bound, effect: RuleResult['effect'], upperBound: number, more: object = {}) {
  const unit = metric === 'score.hps' ? 'score' : '1';
  const result = of({ effect, unit, against: 'small', rule: gateRule(metric, bound), ...more }, 'large', upperBound);
  return [...said(result), ruleFinding(result)];
}

const SHARE_5 = 0.05;
const AMOUNT = 0.02;

// None of them says a number beyond the limit to be within it.
reviewed('passes-beyond-the-limit', {
  'a rise': () => beyond('error_rate', { is: 'max_rise', share: SHARE_5 }, 'difference', 0.0798),
  'a net loss': () => beyond('score.votes', { is: 'max_rise', share: 0.2 }, 'difference', 0.216),
  'an increase': () => beyond('latency.total', { is: 'max_increase', share: SHARE_5 }, 'ratio', 1.12),
  'a decrease': () => beyond('signal.luma', { is: 'max_decrease', share: SHARE_5 }, 'ratio', 0.9),
  'a lower score': () => beyond('score.hps', { is: 'max_decrease', amount: AMOUNT }, 'difference', -0.03),
  'a higher score': () => beyond('score.hps', { is: 'max_increase', amount: AMOUNT }, 'difference', 0.03),
  'an increase that is shown': () =>
    beyond('latency.total', { is: 'max_increase', share: SHARE_5 }, 'ratio', 1.06, { ciLow: 1.02, ciHigh: 1.07 }),
});
