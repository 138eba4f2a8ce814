import fc from 'fast-check';
import { expect, it } from 'vitest';
import { metricsOf } from '../../../src/analysis/metrics.ts';
import { assess } from '../../../src/gate/assess.ts';
import type { RuleResult } from '../../../src/gate/verdict.ts';
import { ruleFinding } from '../../../src/gate/verdict-statement.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import type { Bound } from '../../../src/suite/rule.ts';
import { only } from '../../fixtures/only.ts';
import { gated, gateRule, ORDINARY, ok, scriptedRun } from '../../fixtures/scripted-run.ts';

const CELLS = ORDINARY.prompts.flatMap(({ id }) => ORDINARY.seeds.map((seed) => `${id} ${seed}`));

/** A run of 12 cell pairs, where `fast` has these latencies and sharpness, and `standard` has 1000 ms and 100. */
function runWith(ofFast: { readonly totalMs?: readonly number[]; readonly sharpness?: readonly number[] }): StoredRun {
  const at = (prompt: string, seed: number) => CELLS.indexOf(`${prompt} ${seed}`);
  const record = scriptedRun({
    ...ORDINARY,
    variants: ORDINARY.variants.slice(0, 2),
    concurrency: 1,
    repeats: 1,
    tell: (variant, prompt, seed) => ok((variant === 'fast' ? ofFast.totalMs?.[at(prompt, seed)] : null) ?? 1000),
  });
  const sharpness = new Map(
    record.samples.flatMap(({ trial, ...sample }) =>
      sample.outcome === 'ok' && trial.variant === 'fast'
        ? [[sample.outputs[0].sha256, ofFast.sharpness?.[at(trial.prompt, trial.seed ?? 0)] ?? 100]]
        : [],
    ),
  );
  const facts = record.facts.map((fact) =>
    fact.fact === 'output' && fact.decodes === true
      ? {
          ...fact,
          shown: { ...fact.shown, first: { ...fact.shown.first, sharpness: sharpness.get(fact.sha256) ?? 100 } },
        }
      : fact,
  );
  return { ...record, facts };
}

function resultOf(metric: string, bound: Bound, record: StoredRun): RuleResult {
  const rule = gateRule(metric, bound);
  const metrics = metricsOf([rule]).filter(({ name }) => name === metric);
  const result = only(assess(gated(record, [rule]), metrics).verdict.rules);
  return result;
}

const numbers = ({ p, estimate, ciLow, ciHigh, upperBound, detectable }: RuleResult) =>
  [p, estimate, ciLow, ciHigh, upperBound, detectable?.effect].map((value) => value ?? null);

/** The mirrored numbers; those of the interval change places. */
function mirrored(result: RuleResult, mirror: (value: number) => number) {
  const [p, ...others] = numbers(result);
  const [estimate, low, high, bound, detectable] = others.map((value) => (value === null ? null : mirror(value ?? 0)));
  return [p, estimate, high, low, bound, detectable];
}

const near = (expected: readonly (number | null | undefined)[]) =>
  expected.map((value) => (typeof value === 'number' ? expect.closeTo(value, 9) : null));

const twelve = (min: number, max: number) =>
  fc.array(fc.double({ min, max, noNaN: true }), { minLength: CELLS.length, maxLength: CELLS.length });

it('max_decrease of an amount: is max_increase of what has the other sign, in its numbers and its verdict', () => {
  fc.assert(
    fc.property(twelve(-20, 20), fc.double({ min: 0.5, max: 30, noNaN: true }), (changes, amount) => {
      const at = (sign: number) => runWith({ sharpness: changes.map((change) => 100 + sign * change) });
      const rose = resultOf('signal.sharpness', { is: 'max_increase', amount }, at(1));
      const fell = resultOf('signal.sharpness', { is: 'max_decrease', amount }, at(-1));
      expect([fell.verdict, fell.code]).toEqual([rose.verdict, rose.code]);
      expect(numbers(fell)).toEqual(near(mirrored(rose, (value) => -value)));
    }),
    { numRuns: 25 },
  );
});

it('max_decrease of a share: is max_increase of the inverse, in its numbers', () => {
  fc.assert(
    fc.property(twelve(-0.5, 0.5), fc.double({ min: 0.01, max: 0.3, noNaN: true }), (changes, share) => {
      const at = (sign: number) => runWith({ totalMs: changes.map((change) => 1000 * Math.exp(sign * change)) });
      const rose = resultOf('latency.total', { is: 'max_increase', share }, at(1));
      const fell = resultOf('latency.total', { is: 'max_decrease', share: 1 - 1 / (1 + share) }, at(-1));
      expect(numbers(fell)).toEqual(near(mirrored(rose, (value) => 1 / value)));
    }),
    { numRuns: 25 },
  );
});

it('max_decrease of an amount that is not decided: says the decrease that so many pairs detect', () => {
  const sharpness = CELLS.map((_, at) => 100 - (at % 4) * 12);
  const result = resultOf('signal.sharpness', { is: 'max_decrease', amount: 15 }, runWith({ sharpness }));
  expect(result.detectable?.effect).toBeLessThan(-15);
  expect(ruleFinding(result)).toMatch(/12 pairs of takes detect −\d/);
});
