import { describe, expect, it } from 'vitest';
import { lineOfRun } from '../../src/analysis/earlier-runs.ts';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { baselineFrom } from '../../src/analysis/stability.ts';
import { assess } from '../../src/gate/assess.ts';
import { caseSeedOf } from '../../src/plan/plan.ts';
import type { AskedLooks, PlannedPart } from '../../src/plan/recorded-plan.ts';
import type { Trial } from '../../src/plan/trial.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { Bound, GateRule } from '../../src/suite/rule.ts';
import { metricsIn } from '../fixtures/gate-of-pair.ts';
import { chance, failed, gateRule, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

/* Runs in two parts of 12 case-seeds each: the first has the seeds 1 to 3, the second 4 to 6. */

const PAIR: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 2),
  seeds: [1, 2, 3, 4, 5, 6],
  concurrency: 1,
};

const FIVE_PERCENT: Bound = { is: 'max_increase', share: 0.05 };
const LATENCY = gateRule('latency.total', FIVE_PERCENT);
const NO_ERROR = gateRule('error_rate', { is: 'none', event: 'error' });
const SLICES_OF_A_PART = 1000;

/** `ratio` of fast to standard in the first part and in the second; each take varies by a few per cent. */
const takes =
  (first: number, second: number): Telling['tell'] =>
  (variant, prompt, seed, repeat) => {
    const ratio = variant !== 'fast' ? 1 : seed <= 3 ? first : second;
    return ok(ratio * 1000 * (0.97 + 0.06 * chance(variant, prompt, seed, repeat)));
  };

interface Parts {
  readonly kind?: AskedLooks;
  readonly rules?: readonly GateRule[];
  /** What each look found, in order; parts behind one that decided are not sent. */
  readonly decided: readonly boolean[];
  readonly change?: (record: StoredRun) => StoredRun;
  readonly repeats?: number;
}

/** The record of a run in two parts. */
function inParts(
  tell: Telling['tell'],
  { kind = 'until_decided', rules = [LATENCY], decided, change, repeats = 3 }: Parts,
) {
  const told = scriptedRun({ ...PAIR, repeats, tell });
  const partOf = ({ seed, phase }: Trial) => (phase === 'warmup' || (seed ?? 0) <= 3 ? 0 : 1);
  const samples = told.samples.map((sample) => ({
    ...sample,
    slice: sample.slice + SLICES_OF_A_PART * partOf(sample.trial),
  }));
  const parts = [0, 1].map((part): PlannedPart => {
    const own = samples.filter(({ trial }) => trial.phase === 'trial' && partOf(trial) === part);
    const of = (name: string) => own.filter(({ trial }) => trial.variant === name).length;
    return {
      lastSlice: SLICES_OF_A_PART * (part + 1) - 1,
      caseSeeds: new Set(own.map(({ trial }) => caseSeedOf(trial))).size,
      trials: { standard: of('standard'), fast: of('fast') },
    };
  });
  const sent = decided.includes(true) ? samples.filter(({ trial }) => partOf(trial) === 0) : samples;
  const record: StoredRun = {
    ...told,
    run: {
      ...told.run,
      gate: rules,
      plan: {
        ...told.run.plan,
        looks: { kind, of: 2, unit: 'blocks', units: repeats === 1 ? [12, 24] : [36, 72], parts },
      },
    },
    samples: sent,
    intents: told.intents.filter(({ trial }) => sent.some((sample) => sample.trial.id === trial.id)),
    looks: decided.map((each, at) => ({ event: 'look', segment: 1, look: at + 1, decided: each, atMs: 1e5 })),
  };
  return change === undefined ? record : change(record);
}

/** By the metrics of its rules alone, which is enough for a gate. */
const assessed = (record: StoredRun) => {
  const { gate } = record.run;
  return assess(record, metricsIn(gate));
};

describe('a gate that is looked at twice', () => {
  it('a rule that fails at the first look keeps that, with the numbers it failed by', () => {
    const { verdict, open } = assessed(inParts(takes(1.2, 0.8), { decided: [false] }));
    expect(verdict).toMatchObject({ verdict: 'fail', exitCode: 1 });
    expect(verdict.rules).toMatchObject([{ verdict: 'fail', n: 36, look: 1, boundLevel: 0.975 }]);
    expect(open).toBe(false);
  });

  it('a rule that passes at the first look keeps that', () => {
    const { verdict } = assessed(inParts(takes(1, 1.4), { decided: [false] }));
    expect(verdict).toMatchObject({ verdict: 'pass', exitCode: 0 });
    expect(verdict.rules).toMatchObject([{ verdict: 'pass', n: 36, look: 1 }]);
  });

  it('a rule that is open at the first look is decided on all takes of the second', () => {
    const { verdict } = assessed(inParts(takes(1.05, 1.3), { decided: [false] }));
    expect(verdict.rules).toMatchObject([{ verdict: 'fail', n: 72, look: 2 }]);
    expect(verdict.looks).toMatchObject({ of: 2, made: 2, alphas: [0.025, 0.025], early: false });
  });

  it('a run that was decided early is complete and speaks of what was measured', () => {
    const { verdict, analysed } = assessed(inParts(takes(1.2, 1.2), { decided: [true] }));
    expect(verdict).toMatchObject({ verdict: 'fail', exitCode: 1, complete: true });
    expect(verdict.looks).toEqual({
      kind: 'until_decided',
      of: 2,
      made: 1,
      alphas: [0.025, 0.025],
      early: true,
      caseSeeds: 12,
      plannedCaseSeeds: 24,
      takes: 72,
      plannedTakes: 144,
    });
    expect(analysed.analysis.variants).toMatchObject([
      { plannedTrials: 36, missing: 0 },
      { plannedTrials: 36, missing: 0 },
    ]);
    expect(analysed.analysis.warnings.map(({ code }) => code)).not.toContain('incomplete');
  });

  it('a run that stopped without a decision lacks the takes of its second part', () => {
    const { verdict } = assessed(
      inParts(takes(1.06, 1.06), {
        decided: [false],
        change: (record) => ({ ...record, samples: record.samples.filter(({ slice }) => slice < SLICES_OF_A_PART) }),
      }),
    );
    expect(verdict).toMatchObject({ complete: false, exitCode: 3 });
  });

  it('each look takes half of the error rate, so that what is significant once is not at a look', () => {
    // 6 of 6 blocks are beyond the limit: p = 2^-6, which two comparisons make 2^-5, between 0.025 and 0.05.
    const rules = ['latency.total', 'latency.generation'].map((metric) =>
      gateRule(metric, FIVE_PERCENT, { prompts: ['fox', 'harbour'] }),
    );
    const record = inParts(takes(1.2, 1.2), { rules, decided: [true], repeats: 1 });
    const once = { ...record, looks: [], run: { ...record.run, plan: { ...record.run.plan, looks: null } } };
    expect(assessed(once).verdict.rules).toMatchObject([{ verdict: 'fail', pAdjusted: 1 / 32 }, { verdict: 'fail' }]);
    expect(assessed(record).verdict.rules).toMatchObject([
      { verdict: 'inconclusive', code: 'not_significant', pAdjusted: 1 / 32 },
      { verdict: 'inconclusive' },
    ]);
  });

  it('none is allowed: an event after a look fails, since only a pass on all that was measured counts', () => {
    const failing: Telling['tell'] = (...where) =>
      where[0] === 'fast' && where[2] === 5 && where[1] === 'fox' ? failed() : takes(1, 1)(...where);
    const { verdict } = assessed(inParts(failing, { rules: [NO_ERROR], decided: [false] }));
    expect(verdict.rules).toMatchObject([
      { variant: 'standard', verdict: 'pass', look: 2, boundLevel: 0.95 },
      { variant: 'fast', verdict: 'fail', look: 2 },
    ]);
  });

  it('a look at the first part of a record says what it said while the run went on', () => {
    const whole = inParts(takes(1.2, 0.8), { decided: [true] });
    // While the run goes on, the look that is being made has no event yet.
    const live = assessed({ ...whole, looks: [] });
    expect(live.open).toBe(false);
    expect(live.verdict.rules).toEqual(assessed(whole).verdict.rules);
  });
});

describe('further parts', () => {
  const openAfter = (first: number, rules: readonly GateRule[], more: Partial<Parts> = {}) =>
    assessed({ ...inParts(takes(first, first), { rules, decided: [true], ...more }), looks: [] }).open;

  it.each([
    ['an undecided rule', 'sent', 1.05, [LATENCY]],
    ['a fail, beside a rule that is undecided', 'not sent', 1.2, [LATENCY, gateRule('latency.ttfb', FIVE_PERCENT)]],
    ['rules that passed', 'not sent', 1, [LATENCY, NO_ERROR]],
    [
      'an undecided rule that is let pass',
      'sent',
      1.05,
      [gateRule('latency.total', FIVE_PERCENT, { onInconclusive: 'pass' })],
    ],
    [
      'a rule that lacks its stored baseline, which no take brings',
      'not sent',
      1,
      [LATENCY, gateRule('stability.pixel', { is: 'none', event: 'change' }, { against: 'baseline' })],
    ],
    [
      'a rule against earlier runs, which needs every cell',
      'sent',
      1,
      [LATENCY, gateRule('latency.total', FIVE_PERCENT, { against: 'history' })],
    ],
  ] as const)('further parts after %s: are %s', (_what, sent, first, rules) => {
    expect(openAfter(first, rules)).toBe(sent === 'sent');
  });

  it('a confirmation is not sent for a rule against earlier runs, whose cells the first part has', () => {
    const rules = [LATENCY, gateRule('latency.total', FIVE_PERCENT, { against: 'history' })];
    expect(openAfter(1, rules, { kind: 'confirm' })).toBe(false);
  });
});

describe('a stored baseline beside a run that was decided early', () => {
  it('what the run did not send since it was decided is not missing', () => {
    const whole = inParts(takes(1, 1), { decided: [false] });
    const { analysed } = assessed(whole);
    const stored = baselineFrom(whole.run, analysed, metricsOf([]));
    const early = inParts(takes(1.2, 1.2), { decided: [true] });
    expect(assess(early, metricsOf(early.run.gate), stored).verdict.missing).toEqual([]);
    const stopped = { ...early, looks: [] };
    expect(assess(stopped, metricsOf(early.run.gate), stored).verdict.missing).toMatchObject([
      { what: 'seed', id: '4', side: 'run' },
      { what: 'seed', id: '5', side: 'run' },
      { what: 'seed', id: '6', side: 'run' },
    ]);
  });
});

describe('the line of a run that was decided early', () => {
  const digestOf = (record: StoredRun) => {
    const { analysed, verdict } = assessed(record);
    return lineOfRun(record.run, analysed, verdict, metricsOf([])).variants[0]?.comparableDigest;
  };

  it('a run with fewer cells is comparable with its like alone', () => {
    const whole = digestOf(inParts(takes(1, 1), { decided: [false] }));
    const early = digestOf(inParts(takes(1, 1), { decided: [true] }));
    expect(early).not.toBe(whole);
    expect(digestOf(inParts(takes(1.2, 1.2), { decided: [true] }))).toBe(early);
  });

  it('a run without its confirmation has the same cells and stays comparable', () => {
    const whole = digestOf(inParts(takes(1, 1), { kind: 'confirm', decided: [false] }));
    expect(digestOf(inParts(takes(1, 1), { kind: 'confirm', decided: [true] }))).toBe(whole);
  });
});
