import { expect, it } from 'vitest';
import { metricsOf } from '../../../src/analysis/metrics.ts';
import { assess } from '../../../src/gate/assess.ts';
import type { RuleResult } from '../../../src/gate/verdict.ts';
import { reachOfPass, ruleFinding } from '../../../src/gate/verdict-statement.ts';
import type { VideoFact } from '../../../src/record/fact.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { RunVariant } from '../../../src/record/run.ts';
import type { Bound } from '../../../src/suite/rule.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import { buildFailure, buildOk, buildStoredRun, digestOf } from '../../fixtures/stored-run-builder.ts';

const PER_OUTPUT: RunVariant['price'] = { per: 'output', usd: 0.02 };

/** Eight takes that are paid for, and others whose cost nobody knows. */
const PAID = Array.from({ length: 8 }, (_, at) => buildOk(100, 'a', { trial: { repeat: at + 1 } }));
const FAILED = [9, 10].map((repeat) => buildFailure('error', { trial: { repeat } }));
/** Sent twice: of the first request nobody knows the cost. */
const AGAIN = buildOk(100, 'a', { trial: { repeat: 11 }, attempts: 2 });

const VIDEO: VideoFact = {
  fps: 24,
  durationS: 2,
  codec: 'h264',
  pixelFormat: 'yuv420p',
  framesSha256: digestOf('frames'),
  preview: true,
};

interface Priced {
  readonly samples: readonly Sample[];
  readonly price?: RunVariant['price'];
  /** What one request costs at most; null: unknown. */
  readonly mostUsd: number | null;
}

function resultOf(metric: string, bound: Bound, { samples, price = PER_OUTPUT, mostUsd }: Priced): RuleResult {
  const rule = gateRule(metric, bound);
  const record = buildStoredRun({
    variants: [{ baseUrl: 'https://api.test', price }],
    samples,
    gate: [rule],
  });
  const intents = record.intents.map((intent) => (mostUsd === null ? intent : { ...intent, mostUsd }));
  const facts = record.facts.map((fact) => (fact.fact === 'output' && fact.decodes ? { ...fact, video: VIDEO } : fact));
  const [result] = assess({ ...record, intents, facts }, metricsOf([rule])).verdict.rules;
  if (result === undefined) throw new Error('no result');
  return result;
}

/** Of a metric: what is known, and the most with requests of at most 0.03 US dollars; each video lasts 2 s. */
const METRICS = [
  ['spend', FAILED, 0.16, 0.22],
  ['spend', [AGAIN], 0.18, 0.21],
  ['cost.per_output', FAILED, 0.02, 0.0275],
  ['cost.per_output', [AGAIN], 0.02, 0.023333334],
  ['cost.per_second', FAILED, 0.01, 0.01375],
  ['cost.per_second', [AGAIN], 0.01, 0.011666667],
  ['cost.per_request', FAILED, 0.016, 0.022],
  ['cost.per_request', [AGAIN], 0.018, 0.021],
] as const;

it.each(METRICS)('%s beside requests of unknown cost (%#): passes only if the most it can cost is within', (...row) => {
  const [metric, unknown, least, most] = row;
  const samples = [...PAID, ...unknown];
  const decided = (is: 'max' | 'min', value: number, mostUsd: number | null) => {
    const { verdict, code } = resultOf(metric, { is, value }, { samples, mostUsd });
    return `${verdict} ${code}`;
  };
  const table = [
    ['max', most, 0.03, 'pass within_limit'],
    ['max', most - 1e-6, 0.03, 'inconclusive unknown_cost'],
    ['max', least - 1e-6, 0.03, 'fail beyond_limit'],
    ['max', 1000, null, 'inconclusive unknown_cost'],
    ['max', least - 1e-6, null, 'fail beyond_limit'],
    ['min', least, 0.03, 'pass within_limit'],
    ['min', (least + most) / 2, 0.03, 'inconclusive unknown_cost'],
    ['min', most + 1e-6, 0.03, 'fail beyond_limit'],
    ['min', least, null, 'pass within_limit'],
    ['min', 1000, null, 'inconclusive unknown_cost'],
  ] as const;
  expect(table.map(([is, value, mostUsd]) => [is, value, mostUsd, decided(is, value, mostUsd)])).toEqual(table);
});

it.each(METRICS)('%s where every cost is known (%#): is counted exactly, whatever a request may cost', (metric) => {
  const { price, samples } = { price: { per: 'request', usd: 0.02 }, samples: [...PAID, ...FAILED] } as const;
  const found = resultOf(metric, { is: 'max', value: 1 }, { samples, price, mostUsd: null });
  expect(found).toMatchObject({ verdict: 'pass', upperBound: null, boundLevel: null });
  expect(ruleFinding(found)).toMatch(/: within it, counted exactly$/);
});

it.each(METRICS)('%s without any price (%#): is never decided', (metric) => {
  const found = resultOf(metric, { is: 'max', value: 1000 }, { samples: PAID, price: null, mostUsd: null });
  expect(found).toMatchObject({ verdict: 'inconclusive', estimate: null });
});

it('spend and cost per request where no cost is known: are decided by the most they can be', () => {
  for (const [metric, most] of [['spend', 0.06] as const, ['cost.per_request', 0.03] as const]) {
    const decided = (value: number) => resultOf(metric, { is: 'max', value }, { samples: FAILED, mostUsd: 0.03 });
    expect(decided(most)).toMatchObject({ verdict: 'pass', estimate: null, ciLow: 0, ciHigh: most });
    expect(decided(most / 2)).toMatchObject({ verdict: 'inconclusive', code: 'unknown_cost' });
  }
});

it('money with unknown costs: every sentence says the most, and never that it was counted exactly', () => {
  const samples = [...PAID, ...FAILED];
  const decided = (value: number) => resultOf('spend', { is: 'max', value }, { samples, mostUsd: 0.03 });
  expect(ruleFinding(decided(5))).toBe(
    '$0.160, allowed at most $5.00: within it, whatever the unknown costs are: at most $0.220',
  );
  expect(reachOfPass(decided(5))).toBe('up to $0.220');
  expect(ruleFinding(decided(0.2))).toBe(
    '$0.160, allowed at most $0.200: requests of unknown cost could put it beyond the limit: at most $0.220',
  );
  expect(ruleFinding(decided(0.1))).toBe('$0.160, allowed at most $0.100: beyond the limit by what is counted');
});

it('cost.per_output of takes that were sent again at an unknown cost: does not pass against a baseline variant', () => {
  const rule = gateRule('cost.per_output', { is: 'max_increase', share: 0.05 });
  const variants = ['standard', 'fast'].map((name) => ({ name, baseUrl: 'https://api.test', price: PER_OUTPUT }));
  const decided = (attempts: number) => {
    const samples = Array.from({ length: 12 }, (_, at) =>
      variants.map(({ name: variant }) =>
        buildOk(100, variant, {
          trial: { variant, repeat: at + 1, block: `${at}` },
          attempts: variant === 'fast' ? attempts : 1,
        }),
      ),
    ).flat();
    return assess(buildStoredRun({ variants, samples, gate: [rule] }), metricsOf([rule])).verdict.rules[0];
  };
  expect(decided(1)).toMatchObject({ verdict: 'pass' });
  expect(decided(2)).toMatchObject({ verdict: 'inconclusive' });
});
