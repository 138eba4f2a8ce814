import { expect, it } from 'vitest';
import { metricsOf } from '../../../src/analysis/metrics.ts';
import { assess } from '../../../src/gate/assess.ts';
import { ruleFinding } from '../../../src/gate/verdict-statement.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import { buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const RULE = gateRule('cost.per_output', { is: 'max_increase', share: 0.05 });

/** 12 pairs whose takes cost so much. */
function assessed(costs: (repeat: number) => { readonly standard: number; readonly fast: number }) {
  const samples = Array.from({ length: 12 }, (_, at) =>
    Object.entries(costs(at)).map(([variant, costUsd]) =>
      buildOk(100, variant, { trial: { variant, repeat: at + 1, seed: at + 1 }, costUsd }),
    ),
  ).flat();
  const { comparisons, verdict } = assess(buildStoredRun({ samples, gate: [RULE] }), metricsOf([RULE]));
  const comparison = comparisons.find(({ metric, scope }) => metric === 'cost.per_output' && scope.of === 'blocks');
  const [result] = verdict.rules;
  if (comparison === undefined || result === undefined) throw new Error('nothing was compared');
  return { comparison, result };
}

it('a candidate that is free: costs 0 times as much, and passes a rule on cost', () => {
  const { comparison, result } = assessed(() => ({ standard: 0.02, fast: 0 }));
  expect(comparison).toMatchObject({ value: 0, ciHigh: 0, finding: 'lower', missingBlocks: 0, cellPairsBetter: 12 });
  expect(comparison.notes).toEqual([]);
  expect(result).toMatchObject({ verdict: 'pass', code: 'within_limit', estimate: 0, missingPairs: 0 });
  expect(ruleFinding(result)).toBe('0x [0, 0], allowed at most 1.05x: within it; one-sided 95 % bound: at most 0x');
});

it('a candidate that costs where the baseline variant is free: fails a rule on cost, and says that there is no ratio', () => {
  const { comparison, result } = assessed(() => ({ standard: 0, fast: 0.02 }));
  expect(comparison).toMatchObject({ value: null, finding: 'higher', notes: [{ code: 'baseline_zero' }] });
  expect(result).toMatchObject({ verdict: 'fail', code: 'beyond_limit' });
});

it('two variants that are free: are equal', () => {
  const { comparison, result } = assessed(() => ({ standard: 0, fast: 0 }));
  expect(comparison).toMatchObject({ value: 1, finding: 'undecided', missingBlocks: 0 });
  expect(result).toMatchObject({ verdict: 'pass', estimate: 1 });
});

it('a candidate that is free now and then: has the ratio of its usual pair', () => {
  const { comparison, result } = assessed((at) => ({ standard: 0.02, fast: at < 3 ? 0 : 0.01 }));
  expect(comparison).toMatchObject({ value: 0.5, finding: 'lower', missingBlocks: 0 });
  expect(result.verdict).toBe('pass');
});
