import { describe, expect, it } from 'vitest';
import { lineOfRun } from '../../src/analysis/earlier-runs.ts';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { baselineFrom } from '../../src/analysis/stability.ts';
import { assess } from '../../src/gate/assess.ts';
import { checkRules } from '../../src/gate/check-rules.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { RunAgainst } from '../../src/record/run.ts';
import type { Bound, GateRule } from '../../src/suite/rule.ts';
import { metricsIn } from '../fixtures/gate-of-pair.ts';
import { chance, failed, gateRule, ORDINARY, ok, scriptedRun, type Telling } from '../fixtures/scripted-run.ts';

/* A run in which the variants of a stored baseline were sent again beside its own. */

const [STANDARD, FAST] = ORDINARY.variants;
if (STANDARD === undefined || FAST === undefined) throw new Error('two variants are expected');

const AGAINST: RunAgainst = {
  run: '20261101T080000Z-1a2b',
  createdAt: '2026-11-01T08:00:00.000Z',
  digest: 'a'.repeat(64),
  environment: {},
  changedEnvironment: [],
  missing: [{ what: 'variant', id: 'standard', side: 'baseline' }],
};

const FIVE_PERCENT: Bound = { is: 'max_increase', share: 0.05 };
const LATENCY = gateRule('latency.total', FIVE_PERCENT, { against: 'baseline' });

const tellingOf = (tell: Telling['tell']): Telling => ({
  ...ORDINARY,
  variants: [STANDARD, FAST, { ...FAST, name: 'fast@baseline', baseline: false }],
  concurrency: 1,
  tell,
});

/** `fast` takes `ratio` times as long as its twin, which takes twice as long as `standard`. */
const takes =
  (ratio: number): Telling['tell'] =>
  (variant, ...where) => {
    const usual = variant === 'standard' ? 500 : variant === 'fast' ? 1000 * ratio : 1000;
    return ok(usual * (0.97 + 0.06 * chance(variant, ...where)));
  };

/** A record of it, as the runner would have written it. */
function recordOf(tell: Telling['tell'], rules: readonly GateRule[]): StoredRun {
  const record = scriptedRun(tellingOf(tell));
  const { run } = record;
  return {
    ...record,
    run: {
      ...run,
      against: AGAINST,
      gate: rules,
      variants: run.variants.map((variant) => ({
        ...variant,
        twinOf: variant.name === 'fast@baseline' ? 'fast' : null,
      })),
    },
    samples: record.samples.map((sample) =>
      sample.trial.variant === 'fast@baseline' && sample.trial.phase === 'trial'
        ? { ...sample, trial: { ...sample.trial, phase: 'against' } }
        : sample,
    ),
  };
}

function assessed(tell: Telling['tell'], rules: readonly GateRule[] = [LATENCY]) {
  return assess(recordOf(tell, rules), metricsIn(rules));
}

function faultsOf(rules: readonly GateRule[], names: readonly string[] = ['standard', 'fast', 'fast@baseline']) {
  const { load } = scriptedRun(tellingOf(takes(1))).run.plan;
  const variants = tellingOf(takes(1))
    .variants.filter(({ name }) => names.includes(name))
    .map((variant) => ({
      ...variant,
      twinOf: variant.name === 'fast@baseline' ? 'fast' : null,
      timeoutMs: variant.name === 'fast@baseline' ? 4000 : 20_000,
    }));
  return checkRules({
    rules,
    variants,
    prompts: ORDINARY.prompts,
    load,
    repeats: 3,
    metrics: metricsOf(rules),
  }).map(({ key, cause }) => `${key}: ${cause}`);
}

describe('a stored baseline that is sent again', () => {
  it('a slower variant: fails against its twin, and the verdict names the stored run', () => {
    const { verdict } = assessed(takes(1.2));
    expect(verdict).toMatchObject({ verdict: 'fail', exitCode: 1, baselineRun: AGAINST.run, missing: AGAINST.missing });
    expect(verdict.rules).toMatchObject([
      { variant: 'fast', against: 'fast@baseline', code: 'beyond_limit', n: 36, units: 'blocks' },
    ]);
    expect(verdict.rules[0]?.estimate).toBeCloseTo(1.2, 1);
    expect(assessed(takes(1)).verdict).toMatchObject({ verdict: 'pass', rules: [{ code: 'within_limit' }] });
  });

  it('a rate: rises against the twin', () => {
    const failing: Telling['tell'] = (variant, ...where) =>
      variant === 'fast' && chance(...where) < 0.6 ? failed() : ok(1000);
    const rule = gateRule('error_rate', { is: 'max_rise', share: 0.05 }, { against: 'baseline' });
    expect(assessed(failing, [rule]).verdict.rules).toMatchObject([
      { verdict: 'fail', variant: 'fast', against: 'fast@baseline' },
    ]);
  });

  it('all comparisons of a gate: share one error rate by Holm, those with the stored baseline among them', () => {
    const { rules } = assessed(takes(1.2), [LATENCY, gateRule('latency.total', FIVE_PERCENT)]).verdict;
    expect(rules.map(({ against }) => against)).toEqual(['fast@baseline', 'standard']);
    for (const { p, pAdjusted } of rules) expect(pAdjusted).toBeGreaterThanOrEqual(2 * (p ?? 1) - 1e-12);
  });

  it('comparisons: hold fast beside the baseline variant and beside its twin, which is no candidate itself', () => {
    const { comparisons } = assessed(takes(1.2));
    const whole = comparisons.filter(({ metric, scope }) => metric === 'latency.total' && scope.of === 'blocks');
    expect(whole.map(({ variant, baseline, baselineRun }) => ({ variant, baseline, baselineRun }))).toEqual([
      { variant: 'fast', baseline: 'standard', baselineRun: null },
      { variant: 'fast', baseline: 'fast@baseline', baselineRun: AGAINST.run },
    ]);
    expect(whole.map(({ value }) => (value ?? 0).toFixed(1))).toEqual(['2.4', '1.2']);
    expect(comparisons.some(({ variant }) => variant === 'fast@baseline')).toBe(false);
  });

  it('the worst prompts of a rule: are those against the twin', () => {
    const inHarbour: Telling['tell'] = (variant, prompt, ...where) =>
      ok((variant === 'fast' && prompt === 'harbour' ? 2000 : 1000) + chance(variant, prompt, ...where));
    const { rules } = assessed(inHarbour, [
      gateRule('latency.total', { is: 'max_increase', share: 0.5 }, { against: 'baseline' }),
    ]).verdict;
    expect(rules[0]?.worst.flatMap((place) => ('prompt' in place ? [place.prompt] : []))[0]).toBe('harbour');
  });

  it('other rules: are not about twins', () => {
    const rules = [
      gateRule('error_rate', { is: 'max', value: 0.2 }),
      gateRule('latency.total', { is: 'max_increase', share: 2 }),
      gateRule('stability.byte', { is: 'none', event: 'change' }, { against: 'baseline' }),
    ];
    const subjects = assessed(takes(1), rules).verdict.rules.map(({ index, variant }) => `${index} ${variant}`);
    expect(subjects).toEqual(['0 standard', '0 fast', '1 fast', '2 standard', '2 fast']);
  });

  it('a twin that this machine left out: leaves its rule undecided', () => {
    const record = recordOf(takes(1), [LATENCY]);
    const variants = record.run.variants.filter(({ twinOf }) => twinOf === null);
    const reason = { code: 'no_video_encoder', encoder: 'libx264' } as const;
    const leftOut = [{ variant: 'fast@baseline', twinOf: 'fast', kind: FAST.kind, reason, optional: false }];
    const { verdict } = assess({ ...record, run: { ...record.run, variants, leftOut } }, metricsOf([LATENCY]));
    expect(verdict).toMatchObject({
      exitCode: 3,
      rules: [{ variant: 'fast', against: 'fast@baseline', code: 'left_out' }],
    });
  });

  it('what is kept of such a run, and its line of history: hold its own variants alone', () => {
    const record = recordOf(takes(1), []);
    const metrics = metricsOf([]);
    const { analysed, verdict } = assess(record, metrics);
    const kept = baselineFrom(record.run, analysed, metrics);
    expect(kept.variants.map(({ name }) => name)).toEqual(['standard', 'fast']);
    expect(new Set(kept.measures.map(({ variant }) => variant))).toEqual(new Set(['standard', 'fast']));
    expect(new Set(kept.cells.map(({ variant }) => variant))).toEqual(new Set(['standard', 'fast']));
    const line = lineOfRun(record.run, analysed, { complete: true, verdict: verdict.verdict }, metrics);
    expect(line.variants.map(({ variant }) => variant)).toEqual(['standard', 'fast']);
  });

  it('rules against a stored baseline: are refused where its variants are not sent again, or it lacks them', () => {
    expect(faultsOf([LATENCY])).toEqual([]);
    expect(faultsOf([LATENCY], ['standard', 'fast'])).toEqual([
      expect.stringMatching('^against: .* must be sent again in the same run'),
    ]);
    expect(faultsOf([{ ...LATENCY, variants: ['standard'] }])).toEqual(['against: the stored baseline lacks standard']);
    expect(faultsOf([{ ...LATENCY, variants: ['fast@baseline'] }])).toEqual([
      'variants: there is no variant "fast@baseline"',
    ]);
    expect(faultsOf([gateRule('latency.total', { is: 'max', value: 1 }, { against: 'baseline' })])).toEqual([
      'against: max does not compare, so it takes no stored baseline',
    ]);
    const slow = gateRule('slow_rate', { is: 'max_rise', share: 0.05 }, { against: 'baseline', overMs: 5000 });
    expect(faultsOf([slow])).toEqual([
      expect.stringMatching(/^over: over \(5\.00 s\) is above the timeout of fast@baseline \(4\.00 s\)/),
    ]);
  });
});
