import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../../src/analysis/metrics.ts';
import { baselineFrom } from '../../../src/analysis/stability.ts';
import { sequentialRatios } from '../../../src/analysis/two-runs.ts';
import { assess } from '../../../src/gate/assess.ts';
import type { Json } from '../../../src/kit/json.ts';
import type { Baseline, StoredRun } from '../../../src/record/kept-run.ts';
import { missingSentences } from '../../../src/report/two-runs.ts';
import type { Bound } from '../../../src/suite/rule.ts';
import { keepsTheBoundContract } from '../../contracts/bound.ts';
import { onceFor } from '../../fixtures/once-for.ts';
import { only } from '../../fixtures/only.ts';
import {
  eachSample,
  failed,
  gated,
  gateRule,
  ORDINARY,
  ok,
  scriptedRun,
  type Telling,
  timedOut,
} from '../../fixtures/scripted-run.ts';

const BASE: Telling = {
  ...ORDINARY,
  variants: ORDINARY.variants.slice(0, 2),
  concurrency: 1,
  tell: () => ok(1000),
};

const NONE: Bound = { is: 'none', event: 'change' };
const stability = (bound: Bound, level = 'byte') => gateRule(`stability.${level}`, bound, { against: 'baseline' });

const keep = onceFor((telling: Telling): Baseline => {
  const record = scriptedRun(telling);
  const metrics = metricsOf([]);
  return baselineFrom(record.run, assess(record, metrics).analysed, metrics);
});

function verdictOn(telling: Telling, baseline: Baseline | null, bound: Bound = NONE) {
  const gate = [stability(bound)];
  const metrics = metricsOf(gate).filter(({ name }) => name.startsWith('stability'));
  return assess(gated(scriptedRun(telling), gate), metrics, baseline).verdict;
}

/** Whose service says that this model answered; null: says nothing. */
const answeredBy = (model: string | null): StoredRun =>
  eachSample((sample) => (model === null ? sample : { ...sample, reported: { ...sample.reported, model } }))(
    scriptedRun(BASE),
  );

it.each([
  ['model-1', 'model-1', 'pass', 'no_event'],
  ['model-1', 'model-2', 'fail', 'event_found'],
  ['model-1', null, 'inconclusive', 'no_model_reported'],
  [null, 'model-1', 'inconclusive', 'no_model_reported'],
])('stability.model compares the model that answered, then %s and now %s: %s', (before, now, verdict, code) => {
  const [then, record] = [answeredBy(before), answeredBy(now)];
  const baseline = baselineFrom(then.run, assess(then, metricsOf([])).analysed, metricsOf([]));
  const gate = [stability(NONE, 'model')];
  const { rules } = assess(gated(record, gate), metricsOf(gate), baseline).verdict;
  expect(rules.map((rule) => [rule.verdict, rule.code])).toEqual([
    [verdict, code],
    [verdict, code],
  ]);
});

function objectOf(declared: Json): object {
  return typeof declared === 'object' && declared !== null ? declared : {};
}

/** The outputs of `fast` at the given prompts are others. */
const changed = (...prompts: readonly string[]): Telling => ({
  ...BASE,
  tell: (variant, prompt) => ok(1000, variant === 'fast' && prompts.includes(prompt) ? 5 : 0),
});

for (const { bound, written } of [
  { bound: NONE, written: 'change' },
  { bound: { is: 'min', value: 0.6 }, written: '60%' },
] as const) {
  const resultOn = (telling: Telling) => {
    return only(verdictOn(telling, keep(BASE), bound).rules.filter(({ variant }) => variant === 'fast'));
  };
  keepsTheBoundContract(`${bound.is} of stability`, {
    rule: stability(bound),
    written,
    passing: () => resultOn(BASE),
    failing: () => resultOn(changed('fox', 'harbour', 'lighthouse', 'market')),
    empty: () => resultOn({ ...BASE, tell: () => failed() }),
  });
}

describe('a rule about stability', () => {
  it('the same outputs: pass for every variant, with the bound over cells', () => {
    const { verdict, exitCode, rules, missing, baselineRun } = verdictOn(BASE, keep(BASE));
    expect({ verdict, exitCode, missing }).toEqual({ verdict: 'pass', exitCode: 0, missing: [] });
    expect(baselineRun).toBe(keep(BASE).run);
    expect(rules.map(({ variant, n, units, code }) => [variant, n, units, code])).toEqual([
      ['standard', 12, 'cells', 'no_event'],
      ['fast', 12, 'cells', 'no_event'],
    ]);
    // 1 - 0.05^(1/12)
    expect(rules[0]?.upperBound).toBeCloseTo(0.22092, 4);
  });

  it('other outputs of one variant: fail there, and name the prompts', () => {
    const { rules, verdict } = verdictOn(changed('fox', 'market'), keep(BASE));
    expect(verdict).toBe('fail');
    expect(rules).toMatchObject([
      { variant: 'standard', verdict: 'pass' },
      { variant: 'fast', verdict: 'fail', estimate: 0.5, worst: [{ prompt: 'fox' }, { prompt: 'market' }] },
    ]);
  });

  it.each<[name: string, Telling, Baseline | null, Bound, code: string]>([
    ['the same outputs, three quarters asked', BASE, keep(BASE), { is: 'min', value: 0.75 }, 'within_limit'],
    ['the same outputs, four fifths asked', BASE, keep(BASE), { is: 'min', value: 0.8 }, 'spans_limit'],
    ['half of them changed', changed('fox', 'market'), keep(BASE), { is: 'min', value: 0.8 }, 'beyond_limit'],
    ['no stored baseline', BASE, null, NONE, 'no_baseline'],
    ['no common cell', BASE, keep({ ...BASE, seeds: [91, 92] }), NONE, 'no_common_cell'],
    ['no stable cell', BASE, keep({ ...BASE, repeats: 1 }), NONE, 'no_stable_cell'],
  ])('a rule about stability decides of %s', (_, telling, baseline, bound, code) => {
    expect(verdictOn(telling, baseline, bound).rules.at(-1)).toMatchObject({ variant: 'fast', code });
  });

  it('a baseline without a variant, a prompt and a seed: says so, and compares the rest', () => {
    const fewer = {
      ...BASE,
      variants: BASE.variants.slice(0, 1),
      prompts: BASE.prompts.filter(({ id }) => id !== 'fox'),
      seeds: BASE.seeds.slice(1),
    };
    const verdict = verdictOn(BASE, keep(fewer));
    expect(verdict.rules).toMatchObject([
      { variant: 'standard', verdict: 'pass', n: 6 },
      { variant: 'fast', code: 'no_common_cell' },
    ]);
    const lacks = `lacks variant fast; prompt fox; seed ${BASE.seeds[0]}`;
    expect(missingSentences(verdict)).toEqual([`the stored baseline ${lacks}`]);
    expect(missingSentences(verdictOn(fewer, keep(BASE)))).toEqual([`this run ${lacks}`]);
  });

  it('a baseline without single cells: names each, and compares the rest', () => {
    const kept = keep(BASE);
    const [seed] = BASE.seeds;
    const lost = kept.cells.filter((cell) => cell.variant === 'fast' && cell.prompt === 'fox' && cell.seed === seed);
    const verdict = verdictOn(BASE, { ...kept, cells: kept.cells.filter((cell) => !lost.includes(cell)) });
    expect(verdict.rules.map(({ variant, n }) => [variant, n])).toEqual([
      ['standard', 12],
      ['fast', 11],
    ]);
    expect(verdict.missing).toEqual([{ what: 'cell', id: `fast/fox/${seed}`, side: 'baseline' }]);
    expect(missingSentences(verdict)).toEqual([`the stored baseline lacks output fast/fox/${seed}`]);
  });

  it('a baseline that asked for something else by an id: leaves its cells out and says so', () => {
    const kept = keep(changed('fox'));
    const reworded = {
      ...kept,
      prompts: kept.prompts.map((prompt) => (prompt.id === 'fox' ? { ...prompt, text: 'a grey fox' } : prompt)),
    };
    expect(verdictOn(BASE, kept).rules[1]).toMatchObject({ verdict: 'fail', n: 12 });
    const verdict = verdictOn(BASE, reworded);
    expect(verdict.rules.map(({ n, verdict: found }) => [n, found])).toEqual([
      [9, 'pass'],
      [9, 'pass'],
    ]);
    expect(missingSentences(verdict)).toEqual([
      'the stored baseline has another text, image or input of 1 prompt, not compared: fox',
    ]);
  });

  it('a baseline of a suite with other scorers and expectations of its outputs is of the same version', () => {
    const kept = keep(BASE);
    const withSuite = (declared: Json) => ({ ...kept, suite: { ...kept.suite, declared } });
    const declared = { ...objectOf(kept.suite.declared), prompts: [{ text: 'a' }, 'b'] };
    const { run, ...record } = scriptedRun(BASE);
    const missing = (suite: Json, before: Json) => {
      const measured = { ...run, gate: [stability(NONE)], suite: { ...run.suite, declared: suite } };
      return assess({ ...record, run: measured }, metricsOf(measured.gate), withSuite(before)).verdict.missing;
    };
    const scored = { ...declared, prompts: [{ text: 'a', expect: { text: 'A' } }, 'b'], scorers: {} };
    expect(missing(scored, declared)).toEqual([]);
    const others = { ...scored, prompts: [{ text: 'c' }, 'b'] };
    expect(missing(others, declared)).toMatchObject([{ what: 'suite_version' }]);
  });

  it('a baseline of another version of a target: says so; a description alone is none', () => {
    const kept = keep(BASE);
    const withTarget = (change: Readonly<Record<string, Json>>) => ({
      ...kept,
      targets: kept.targets.map((target) => ({ ...target, declared: { ...objectOf(target.declared), ...change } })),
    });
    expect(kept.targets.length).toBeGreaterThan(0);
    expect(verdictOn(BASE, withTarget({ description: 'Another.' })).missing).toEqual([]);
    expect(verdictOn(BASE, withTarget({ kind: 'another' })).missing).toMatchObject([{ what: 'suite_version' }]);
  });
});

describe('latencies of two runs', () => {
  it('the ratio is the median over common cells, without those that timed out', () => {
    const later = keep({
      ...BASE,
      tell: (variant, prompt, seed) =>
        prompt === 'fox' && seed === BASE.seeds[0] ? timedOut() : ok(variant === 'fast' ? 1200 : 900),
    });
    const ratios = sequentialRatios(keep(BASE), later, { mode: 'closed' }, { pair: ['a', 'b'], lines: [] });
    expect(ratios).toMatchObject([
      {
        variant: 'standard',
        metric: 'latency.total',
        ratio: expect.closeTo(0.9, 9),
        cells: 11,
        faster: 11,
        p50Ms: { before: { value: 1000 }, after: { value: 900 }, sameCells: true },
      },
      {
        variant: 'fast',
        metric: 'latency.total',
        ratio: expect.closeTo(1.2, 9),
        cells: 11,
        faster: 0,
        p50Ms: { before: { value: 1000 }, after: { value: 1200 } },
      },
    ]);
  });
});
