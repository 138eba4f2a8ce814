import { expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { spend } from '../../../src/analysis/metrics/cost.ts';
import { boundedValue } from '../../../src/gate/bounds/value.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

function spendBounds(samples: readonly Sample[]) {
  const variant = { name: 'standard', baseUrl: 'https://api.test', price: { per: 'output', usd: 0.05 } as const };
  const { analysis, subjects } = analyse(buildStoredRun({ variants: [variant], samples }), [spend]);
  const [subject] = analysis.variants.flatMap((each) => subjects.ofVariant(each).slice(0, 1));
  if (subject === undefined) throw new Error('the run has no variant');
  return boundedValue(spend, { statistic: null, overMs: null }, subject, 0.95);
}

it('money spent: is its own bound, and has no upper one beside requests of unknown cost', () => {
  const ok = buildOk(100, 'a');
  expect(spendBounds([ok])).toEqual({ value: 0.05, n: 1, range: { low: 0.05, high: 0.05 }, level: null });
  const failed = buildFailure('error', { trial: { repeat: 2 } });
  expect(spendBounds([ok, failed])).toEqual({ value: 0.05, n: 1, range: { low: 0.05, high: Infinity }, level: null });
});
