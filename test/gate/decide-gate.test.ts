import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { TOO_SMALL } from '../../src/analysis/note.ts';
import { assess } from '../../src/gate/assess.ts';
import { checkRules } from '../../src/gate/check-rules.ts';
import type { RuleResult } from '../../src/gate/verdict.ts';
import { ruleFinding } from '../../src/gate/verdict-statement.ts';
import { groupSentence } from '../../src/report/comparison-statement.ts';
import type { Load } from '../../src/suite/load.ts';
import type { Bound, GateRule } from '../../src/suite/rule.ts';
import { type Change, metricsIn, PAIR, same, type Tell, takes, verdictOn } from '../fixtures/gate-of-pair.ts';
import { only } from '../fixtures/only.ts';
import {
  chance,
  eachSample,
  failed,
  gated,
  gateRule,
  ORDINARY,
  ok,
  scriptedRun,
  timedOut,
} from '../fixtures/scripted-run.ts';
import { buildCalibration } from '../fixtures/stored-run-builder.ts';

const FIVE_PERCENT: Bound = { is: 'max_increase', share: 0.05 };
const OF_FAST: Partial<GateRule> = { variants: ['fast'] };

const LATENCY = gateRule('latency.total', FIVE_PERCENT);
const SERVER = gateRule('latency.server', FIVE_PERCENT);
const OF_FOX = gateRule('latency.total', FIVE_PERCENT, { prompts: ['fox'] });
const OF_FOX_LET_PASS: GateRule = { ...OF_FOX, onInconclusive: 'pass' };
const NO_ERROR = gateRule('error_rate', { is: 'none', event: 'error' });
const ERRORS_20 = gateRule('error_rate', { is: 'max', value: 0.2 });
const ERRORS_70 = gateRule('error_rate', { is: 'max', value: 0.7 });
const ERRORS_RISE_5 = gateRule('error_rate', { is: 'max_rise', share: 0.05 });
const NO_DEPARTURE = gateRule('determinism.byte', { is: 'none', event: 'departure' });
const NONE_OF_MARKET: GateRule = { ...NO_DEPARTURE, prompts: ['market'] };
const NONE_DEPARTS = 'standard no_event, fast no_event';
const DEPARTURES_20 = gateRule('determinism.byte', { is: 'max', value: 0.2 }, OF_FAST);
const SLOW_RISE_5 = gateRule('slow_rate', { is: 'max_rise', share: 0.05 }, { overMs: 5000 });
const costIncrease = (share: number) => gateRule('cost.per_output', { is: 'max_increase', share });

/** A number within these limits. */
function within(low: number, high: number): number {
  return expect.toSatisfy((value: number) => value > low && value < high);
}

function placesOf({ worst }: Pick<RuleResult, 'worst'>): readonly string[] {
  return worst.map((place) => ('prompt' in place ? place.prompt : place.tag));
}

function faultsOf(rules: readonly GateRule[], load: Load) {
  const prompts = ORDINARY.prompts;
  const variants = PAIR.variants.map((variant) => ({ ...variant, timeoutMs: 20_000 }));
  return checkRules({ rules, variants, prompts, load, repeats: 3, metrics: metricsOf(rules) }).map(
    ({ index, key, cause }) => [index, key, cause],
  );
}

/* What takes of a variant are like. */

/** The same ratio, but of the first seed another. */
const slowLater =
  (first: number, ratio: number): Tell =>
  (...where) =>
    takes(where[2] === 1 ? first : ratio)(...where);

const onlyFirstTakes: Tell = (...where) => (where[3] === 1 ? takes(1.2)(...where) : failed());

const fastFailing: Tell = (variant, ...where) => (variant === 'fast' && chance(...where) < 0.6 ? failed() : ok(1000));

/** One of three takes departs in this number of 12 cells. */
const departing =
  (cells: number): Tell =>
  (variant, prompt, seed, repeat) => {
    const cell = ['fox', 'harbour', 'lighthouse', 'market'].indexOf(prompt) * 3 + seed;
    return ok(1000, Number(variant === 'fast' && repeat === 3 && cell <= cells));
  };

const failingPrompts: Tell = (_variant, prompt, _seed, repeat) =>
  repeat <= (prompt === 'market' ? 3 : prompt === 'fox' ? 2 : 0) ? failed() : ok(1000);

const slowPrompts: Tell = (variant, prompt, ...where) => {
  const ratio = prompt === 'harbour' ? 2 : prompt === 'fox' ? 1.5 : 1.1;
  return ok(1000 * (variant === 'fast' ? ratio : 1) + chance(prompt, ...where));
};

const twoOfThreeSlow: Tell = (variant, prompt, seed, repeat) => {
  if (variant === 'fast' && repeat === 1) return timedOut();
  return ok(variant === 'fast' && repeat === 2 ? 9000 : 1000 + chance(prompt, seed));
};

/* What is changed in the record of it. */

/** A candidate that costs 5 % more. */
const priced = eachSample((sample) => {
  const costUsd = sample.trial.variant === 'fast' ? 0.021 : 0.02;
  return { ...sample, reported: { ...sample.reported, costUsd } };
});

const abandoned: Change = (record) => {
  const why = { code: 'refused_warmup', httpStatus: 401, errorCode: 'unauthorized', message: '' } as const;
  return { ...record, abandoned: [{ event: 'abandoned', segment: 1, atMs: 1, variant: 'fast', why }] };
};

/** A variant that this machine cannot measure. */
const without =
  (optional: boolean): Change =>
  (record) => {
    const reason = { code: 'no_video_encoder', encoder: 'libx264' } as const;
    const film = { variant: 'video', twinOf: null, kind: 'text-to-video', reason, optional } as const;
    return { ...record, run: { ...record.run, leftOut: [film] } };
  };

const sequential: Change = (record) => {
  const { plan } = record.run;
  if (plan.load.mode !== 'closed') throw new Error('closed load is expected');
  return { ...record, run: { ...record.run, plan: { ...plan, load: { ...plan.load, order: 'sequential' } } } };
};

/** Late marks of the takes of the seeds above the first. */
const lateLater = eachSample((sample) =>
  sample.trial.phase === 'trial' && sample.trial.seed !== 1 ? { ...sample, flags: ['harness_lag'] } : sample,
);

describe('a gate', () => {
  it.each<[name: string, rule: GateRule | null, Tell, Change, whole: string, codes: string]>([
    ['no rule', null, takes(3), same, 'none 0', ''],
    ['a slower variant', LATENCY, takes(1.2), same, 'fail 1', 'fast beyond_limit'],
    ['an equal variant', LATENCY, takes(1), same, 'pass 0', 'fast within_limit'],
    ['three blocks', OF_FOX, onlyFirstTakes, same, 'inconclusive 4', 'fast too_few_units'],
    ['three, let pass', OF_FOX_LET_PASS, onlyFirstTakes, same, 'pass 0', 'fast too_few_units let pass'],
    ['errors', ERRORS_20, fastFailing, same, 'fail 1', 'standard within_limit, fast beyond_limit'],
    ['more errors', ERRORS_RISE_5, fastFailing, same, 'fail 1', 'fast beyond_limit'],
    ['slow takes and time-outs', SLOW_RISE_5, twoOfThreeSlow, same, 'fail 1', 'fast beyond_limit'],
    ['one departure', NO_DEPARTURE, departing(1), same, 'fail 1', 'standard no_event, fast event_found'],
    ['one at another prompt', NONE_OF_MARKET, departing(1), same, 'pass 0', 'standard no_event, fast no_event'],
    ['one, a fifth allowed', DEPARTURES_20, departing(1), same, 'pass 0', 'fast within_limit'],
    ['five, a fifth allowed', DEPARTURES_20, departing(5), same, 'inconclusive 4', 'fast spans_limit'],
    // Not by the last bit of a logarithm.
    ['5 % dearer, as allowed', costIncrease(0.05), takes(1), priced, 'pass 0', 'fast within_limit'],
    ['5 % dearer, 3 % allowed', costIncrease(0.03), takes(1), priced, 'fail 1', 'fast beyond_limit'],
    ['abandoned in mid-run', LATENCY, takes(2), abandoned, 'inconclusive 4', 'fast left_out'],
    ['optional, left out', NO_DEPARTURE, takes(1), without(true), 'pass 0', `${NONE_DEPARTS}, video optional_left_out`],
    [
      'left out',
      NO_DEPARTURE,
      takes(1),
      without(false),
      'inconclusive 3 incomplete',
      `${NONE_DEPARTS}, video left_out`,
    ],
    ['sent in turn', LATENCY, takes(2), sequential, 'inconclusive 4', 'fast sequential_order'],
    ['sent in turn, rise', ERRORS_RISE_5, takes(2), sequential, 'inconclusive 4', 'fast sequential_order'],
    ['sent in turn, rate', ERRORS_20, takes(2), sequential, 'pass 0', 'standard within_limit, fast within_limit'],
    ['slow where marks are late', LATENCY, slowLater(1, 1.3), lateLater, 'inconclusive 4', 'fast flagged_disagree'],
    ['slow there by the server', SERVER, slowLater(1, 1.3), lateLater, 'fail 1', 'fast beyond_limit'],
  ])('a rule decides of %s', (_, rule, tell, change, whole, codes) => {
    const { verdict, exitCode, complete, rules } = verdictOn(rule === null ? [] : [rule], tell, change);
    expect(`${verdict} ${exitCode}${complete ? '' : ' incomplete'}`).toBe(whole);
    // A code belongs to one verdict.
    const found = rules.map(({ variant, code, letPass }) => `${variant} ${code}${letPass ? ' let pass' : ''}`);
    expect(found.join(', ')).toBe(codes);
  });

  const AGAINST_STANDARD = { against: 'standard', n: 36, units: 'blocks' } as const;

  it.each<[name: string, GateRule, Tell, Partial<RuleResult>]>([
    ['a slower variant, compared', LATENCY, takes(1.2), AGAINST_STANDARD],
    ['its ratio', LATENCY, takes(1.2), { estimate: within(1.15, 1.25), ciLow: within(1.1, 1.25) }],
    ['its p', LATENCY, takes(1.2), { pAdjusted: within(0, 0.01) }],
    ['an equal variant', LATENCY, takes(1), { upperBound: within(0, 1.15) }],
    ['too few blocks', OF_FOX, onlyFirstTakes, { n: 3 }],
    [
      'takes over a limit, time-outs among them',
      SLOW_RISE_5,
      twoOfThreeSlow,
      { n: 36, estimate: expect.closeTo(2 / 3, 12) },
    ],
    // 36 takes of 12 cells: 24 could have departed.
    ['one departure', DEPARTURES_20, departing(1), { estimate: 1 / 36, upperBound: expect.closeTo(0.1829, 3) }],
    ['five', DEPARTURES_20, departing(5), { estimate: 5 / 36, upperBound: within(0.35, 1), boundLevel: 0.95 }],
  ])('the numbers of %s', (_, rule, tell, numbers) => {
    expect(only(verdictOn([rule], tell).rules)).toMatchObject(numbers);
  });

  it('several comparisons: share one error rate by Holm', () => {
    const three = ['latency.total', 'latency.generation', 'latency.ttfb'].map((metric) =>
      gateRule(metric, FIVE_PERCENT),
    );
    const { rules } = verdictOn(three, takes(1.2));
    for (const { p, pAdjusted } of rules) expect(pAdjusted).toBeGreaterThanOrEqual(3 * (p ?? 1) - 1e-12);
  });

  it('throughput of groups that are too short for it: is undecided', () => {
    const rule = gateRule('throughput', { is: 'min', value: 0.1 }, OF_FAST);
    const { rules } = verdictOn([rule], takes(1), same, { ...PAIR, concurrency: 2, repeats: 6 });
    expect(rules).toMatchObject([{ verdict: 'inconclusive', code: 'too_few_units', estimate: null, n: 72 }]);
  });

  it.each<[name: string, GateRule, Tell, worst: readonly (readonly string[])[]]>([
    ['departures', NO_DEPARTURE, departing(1), [[], ['fox']]],
    ['a limit of a rate', ERRORS_70, failingPrompts, [['market'], ['market']]],
    [
      'errors',
      NO_ERROR,
      failingPrompts,
      [
        ['market', 'fox'],
        ['market', 'fox'],
      ],
    ],
    ['a change', LATENCY, slowPrompts, [['harbour', 'fox', 'landscape']]],
  ])('a rule names what is beyond its bound by itself, the worst first: %s', (_, rule, tell, worst) => {
    expect(verdictOn([rule], tell).rules.map(placesOf)).toEqual(worst);
  });

  it.each([
    ['below the floor', 5, 10, true],
    ['above the floor', 5, 1, false],
    ['below the floor, but of medians whose intervals do not overlap', 150, 200, false],
  ] as const)(
    'a significant difference %s: the gate, the comparison and its sentence agree',
    (_, more, floorMs, isBelow) => {
      const tell: Tell = (variant, prompt, seed) =>
        ok(1000 + 100 * chance(prompt, seed) + (variant === 'fast' ? more : 0));
      const rules = [gateRule('latency.total', { is: 'max_increase', share: 0.001 })];
      const { run, ...record } = gated(scriptedRun({ ...PAIR, tell }), rules);
      const calibrated = { ...record, run: { ...run, calibration: buildCalibration({ floorMs }) } };
      const { comparisons, verdict } = assess(calibrated, metricsIn(rules));
      const whole = only(comparisons.filter(({ scope }) => scope.of === 'blocks'));
      const result = only(verdict.rules);
      expect(result).toMatchObject({ verdict: 'fail', belowNoiseFloor: isBelow });
      const said = [ruleFinding(result), groupSentence([whole])].map((words) => words.includes(TOO_SMALL));
      expect(said).toEqual([isBelow, isBelow]);
    },
  );

  it('flagged blocks: leave a rule its own reason where its verdict would be the same without them', () => {
    // Undecided with an estimate above the limit; seed 1 alone has one below it, and too few blocks.
    const result = only(verdictOn([OF_FOX], slowLater(1.03, 1.08), lateLater).rules);
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      code: 'not_significant',
      withoutFlagged: { verdict: 'inconclusive', estimate: within(0, 1.05) },
    });
    // Without seeds 2 and 3 it passes: then the flags decide, and nothing else.
    expect(verdictOn([LATENCY], slowLater(1, 1.075), lateLater).rules).toMatchObject([
      { verdict: 'inconclusive', code: 'flagged_disagree', withoutFlagged: { verdict: 'pass' } },
    ]);
  });

  it.each([
    ['the candidate', 'fast', true],
    ['the baseline variant', 'standard', false],
  ])(
    'blocks beside abandoned requests of %s: count as flagged only where these are not its own doing',
    (_who, hanging, own) => {
      const tell: Tell = (...where) => (where[0] === hanging && where[2] === 1 ? timedOut() : takes(1)(...where));
      const withOrphans = eachSample((sample) => {
        if (sample.outcome === 'timed_out')
          return { ...sample, marks: { ...sample.marks, sentMs: sample.marks.startedMs } };
        const { variant, seed, phase } = sample.trial;
        const isBeside = variant === hanging && seed === 2 && phase === 'trial';
        return isBeside ? { ...sample, flags: ['orphans'] } : sample;
      });
      const result = only(verdictOn([LATENCY], tell, withOrphans).rules);
      expect(result.withoutFlagged === null).toBe(own);
      expect(result.code).not.toBe('flagged_disagree');
    },
  );

  it('variants sent one after the other: rules on latencies and rises are refused by the plan', () => {
    const { load } = sequential(scriptedRun({ ...PAIR, tell: takes(1) })).run.plan;
    expect(faultsOf([LATENCY, ERRORS_RISE_5, ERRORS_20], load)).toEqual([
      [0, 'metric', expect.stringMatching('sent one after the other')],
      [1, 'metric', expect.stringMatching('sent one after the other')],
    ]);
  });

  it('open load: passes a limit only where it lasted ten times as long, and fails one however short it was', () => {
    const load = (everyMs: number): Load => ({
      mode: 'open',
      order: 'sequential',
      concurrency: 64,
      arrivals: 'constant',
      stages: [{ ratePerSecond: 1000 / everyMs, forMs: null }],
      warmup: 0,
      onThrottle: 'fail',
      shuffle: 1,
    });
    const open =
      (everyMs: number): Change =>
      (record) => {
        const due = new Map<string, number>();
        const atDue = eachSample((sample) => {
          if (sample.outcome !== 'ok') return sample;
          const scheduledMs = due.get(sample.trial.variant) ?? 0;
          due.set(sample.trial.variant, scheduledMs + everyMs);
          const slice = PAIR.variants.findIndex(({ name }) => name === sample.trial.variant);
          const moved = scheduledMs - sample.marks.startedMs;
          const marks = Object.fromEntries(Object.entries(sample.marks).map(([mark, ms]) => [mark, ms + moved]));
          const endedMs = sample.endedMs + moved;
          return { ...sample, slice, endedMs, marks: { ...sample.marks, ...marks, scheduledMs } };
        });
        const { run, ...sent } = atDue(record);
        return { ...sent, run: { ...run, plan: { ...run.plan, load: load(everyMs) } } };
      };
    const rules = [
      gateRule('latency.total', { is: 'max', value: 2000 }, OF_FAST),
      gateRule('slow_rate', { is: 'max', value: 0.2 }, { ...OF_FAST, overMs: 2000 }),
      gateRule('latency.total', { is: 'max', value: 900 }, OF_FAST),
      { ...ERRORS_20, ...OF_FAST },
    ];
    const codesOf = (everyMs: number) => verdictOn(rules, takes(1), open(everyMs)).rules.map(({ code }) => code);
    // 36 calls of fast: 35 times 572 ms are more than 20 s, 35 times 571 ms are less.
    expect(codesOf(572)).toEqual(['within_limit', 'within_limit', 'beyond_limit', 'within_limit']);
    expect(codesOf(571)).toEqual(['short_load', 'short_load', 'beyond_limit', 'within_limit']);
  });
});
