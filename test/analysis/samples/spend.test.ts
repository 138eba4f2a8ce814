import { expect, it, test } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { RunVariant } from '../../../src/record/run.ts';
import { createBudget } from '../../../src/run/limits/stop-rules.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const AWAY = { name: 'standard', baseUrl: 'https://api.test' };

/** Analyses a record whose intents say what a submit costs at most. */
function spendOf(
  variants: readonly Partial<RunVariant>[],
  samples: readonly Sample[],
  { mostUsd, replaced = [] }: { readonly mostUsd?: number; readonly replaced?: readonly Sample[] } = {},
) {
  const record = buildStoredRun({ variants, samples });
  const intents = record.intents.map((intent) => (mostUsd === undefined ? intent : { ...intent, mostUsd }));
  const { analysis } = analyse({ ...record, intents, replaced }, METRICS);
  return { ...analysis, spend: analysis.run.spend };
}

it('spend of a price per request: is owed for warm-ups, probes, failures, attempts and replaced requests', () => {
  const price = { per: 'request', usd: 0.1 } as const;
  const samples = [
    buildOk(100, 'w', { trial: { phase: 'warmup' } }),
    buildOk(100, 'a', { attempts: 3 }),
    buildFailure('timed_out', { trial: { repeat: 2 } }),
    buildFailure('unknown_charged', { trial: { repeat: 3 } }),
    buildOk(100, 'p', { trial: { phase: 'probe' } }),
    buildFailure('dropped', { trial: { repeat: 4 } }),
    buildFailure('cancelled', { trial: { repeat: 5 }, attempts: 0 }),
  ];
  const replaced = [buildFailure('unknown_charged', { trial: { repeat: 2 } })];
  const { spend, variants, measures } = spendOf([{ ...AWAY, price }], samples, { replaced });
  const expected = { requests: 8, usd: 0.8, unknownRequests: 0, mostUsd: 0.8 };
  expect(spend).toEqual(expected);
  expect(variants[0]?.spend).toEqual(expected);
  expect(measures.find(({ metric }) => metric === 'spend')).toMatchObject({
    statistic: 'total',
    value: 0.8,
    unit: 'usd',
    n: 8,
    method: 'sum',
    notes: [],
  });
});

it('spend of a price per output: is unknown for failures and refused attempts, and has an upper bound', () => {
  const samples = [
    buildOk(100, 'a', { attempts: 2 }),
    buildFailure('timed_out', { trial: { repeat: 2 } }),
    buildFailure('rejected', { trial: { repeat: 3 }, costUsd: 0.01 }),
  ];
  const { spend, measures } = spendOf([{ ...AWAY, price: { per: 'output', usd: 0.05 } }], samples, { mostUsd: 0.2 });
  expect(spend).toEqual({ requests: 4, usd: 0.06, unknownRequests: 2, mostUsd: 0.46 });
  expect(measures.find(({ metric }) => metric === 'spend')).toMatchObject({
    value: 0.06,
    n: 2,
    notes: [{ code: 'unknown_cost', value: 2 }],
  });
});

it('spend where only replies say a cost: counts these, and the rest has no upper bound', () => {
  const samples = [buildOk(100, 'a', { costUsd: 0.02 }), buildFailure('error', { trial: { repeat: 2 } })];
  expect(spendOf([AWAY], samples).spend).toEqual({ requests: 2, usd: 0.02, unknownRequests: 1, mostUsd: null });
});

it('spend of a run without any price: says nothing', () => {
  const { spend, variants, measures } = spendOf([AWAY], [buildOk(100, 'a'), buildFailure('error')]);
  expect([spend, variants[0]?.spend, measures.some(({ metric }) => metric === 'spend')]).toEqual([null, null, false]);
});

it('spend at the reference service of the run: is nothing beside a variant that costs', () => {
  const price = { per: 'output', usd: 0.05 } as const;
  const free = { name: 'free', baseUrl: 'embedded:' };
  const samples = [
    buildOk(100, 'a', { trial: { variant: 'free' } }),
    buildFailure('error', { trial: { variant: 'free', repeat: 2 } }),
    buildOk(100, 'b'),
  ];
  const { spend, variants } = spendOf([{ ...AWAY, price }, free], samples);
  expect(spend).toEqual({ requests: 3, usd: 0.05, unknownRequests: 0, mostUsd: 0.05 });
  expect(variants.map(({ spend: own }) => own?.usd)).toEqual([0.05, 0]);
});

test.each([
  ['request', 0.3, null],
  ['output', 0.3, 0.1],
] as const)('spend with a price per %s: is at most what limits.usd counts', (per, mostUsd, perOutputUsd) => {
  const samples = [
    buildOk(100, 'a', { attempts: 3 }),
    buildOk(100, 'b', { trial: { repeat: 2 }, costUsd: 0.02, attempts: 2 }),
    buildFailure('timed_out', { trial: { repeat: 3 } }),
    buildFailure('throttled', { trial: { repeat: 4 }, attempts: 4 }),
    buildFailure('rejected', { trial: { repeat: 5 }, costUsd: 0 }),
  ];
  const delivered = perOutputUsd === null ? null : ({ per: 'output', usd: perOutputUsd } as const);
  const bounds = { leastUsd: 0.1, mostUsd, delivered };
  const submitted = samples.map((sample) => ({ trial: sample.trial, attempts: sample.attempts, sample }));
  const counted = createBudget(100, () => bounds, submitted).usd();
  const price = { per, usd: perOutputUsd ?? mostUsd };
  expect(spendOf([{ ...AWAY, price }], samples, { mostUsd }).spend?.mostUsd).toBeCloseTo(counted, 9);
});
