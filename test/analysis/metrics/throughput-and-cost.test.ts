import { expect, it } from 'vitest';
import type { Sample } from '../../../src/record/journal.ts';
import type { ClosedLoad } from '../../../src/suite/load.ts';
import { type MeasureRow, measureIn } from '../../fixtures/measure-query.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const at = (startedMs: number, slice: number, repeat: number) => ({ startedMs, slice, trial: { repeat } });
const FIRST = buildOk(1000, 'p', at(0, 0, 1));
const AFTER_THROTTLING = buildOk(1000, 'p', { ...at(3000, 0, 1), attempts: 2, throttleWaitMs: 3000 });
const TIME_OF_FAILURES = 'counts the time that failures, time-outs and throttling took';

it.each<[what: string, samples: readonly Sample[], expected: Partial<MeasureRow>, load?: Partial<ClosedLoad>]>([
  [
    'at one in flight divides ok outputs by the sum of all durations, the time between calls left out',
    [FIRST, buildOk(1500, 'p', at(1200, 0, 2)), buildOk(2000, 'p', at(60_000, 3, 3))],
    { value: 3 / 4.5, n: 3, unit: '1/s', better: 'higher' },
  ],
  [TIME_OF_FAILURES, [FIRST, buildFailure('error', { ...at(1000, 0, 2), afterMs: 1000 })], { value: 0.5 }],
  [TIME_OF_FAILURES, [FIRST, buildFailure('timed_out', at(1000, 0, 2))], { value: expect.closeTo(1 / 121, 12) }],
  [TIME_OF_FAILURES, [AFTER_THROTTLING], { value: 0.25 }],
  [
    'does not mix the clocks of two processes',
    [buildOk(1000, 'p', at(50_000, 0, 1)), buildOk(1000, 'p', { ...at(0, 0, 2), segment: 2 })],
    { value: 1 },
  ],
  ['is not defined when variants were mixed', [FIRST], { value: null, note: 'mixed_order' }, { order: 'mixed' }],
])('throughput %s (%#)', (_, samples, expected, load = {}) => {
  const record = buildStoredRun({ variants: [{}], samples, load });
  expect(measureIn(record, { metric: 'throughput', statistic: 'rate' })).toMatchObject(expected);
});

const paid = (repeat: number, costUsd: number | null) => ({ trial: { repeat }, costUsd });
const outputs = (count: number, usd: number | null) =>
  Array.from({ length: count }, (_, at) => buildOk(1, 'p', paid(at + 1, usd)));
const EXACT = 'of many outputs at one price is that price, to the last bit';
const ONE_UNKNOWN = [...outputs(1, 0.02), buildFailure('error', paid(2, null))];
const ONE_FAILED = [...outputs(2, 0.02), buildFailure('error', paid(3, 0.02))];

it.each<[what: string, samples: readonly Sample[], expected: Partial<MeasureRow>]>([
  ['spreads what failures cost over outputs', ONE_FAILED, { value: 0.03, n: 2, unit: 'usd', note: '' }],
  [EXACT, outputs(57, 0.02), { value: 0.02 }],
  [EXACT, outputs(114, 0.02), { value: 0.02 }],
  [EXACT, outputs(201, 0.003), { value: 0.003 }],
  ['names the failures whose cost is not known', ONE_UNKNOWN, { value: 0.02, note: 'unknown_cost=1' }],
  ['is empty while no price is known', outputs(1, null), { value: null, note: 'no_price' }],
  ['is empty while nothing is delivered', [buildFailure('error')], { value: null, note: 'no_ok_trial' }],
])('cost.per_output %s (%#)', (_, samples, expected) => {
  const record = buildStoredRun({ variants: [{ baseUrl: 'https://api.test' }], samples });
  expect(measureIn(record, { metric: 'cost.per_output', statistic: 'mean' })).toMatchObject(expected);
});
