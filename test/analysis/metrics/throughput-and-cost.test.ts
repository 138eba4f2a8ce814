import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src/record/journal.ts';
import type { ClosedLoad } from '../../../src/suite/load.ts';
import { measureIn } from '../../fixtures/measure-query.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const throughput = (samples: readonly Sample[], load: Partial<ClosedLoad> = {}) =>
  measureIn(buildStoredRun({ variants: [{}], samples, load }), { metric: 'throughput', statistic: 'rate' });

const at = (startedMs: number, slice: number, repeat: number) => ({ startedMs, slice, trial: { repeat } });

describe('throughput', () => {
  it('throughput at one in flight divides ok outputs by the sum of all durations, the time between calls left out', () => {
    const samples = [
      buildOk(1000, 'p', at(0, 0, 1)),
      buildOk(1500, 'p', at(1200, 0, 2)),
      buildOk(2000, 'p', at(60_000, 3, 3)),
    ];
    expect(throughput(samples)).toMatchObject({ value: 3 / 4.5, n: 3, unit: '1/s', better: 'higher' });
  });

  it('throughput counts the time that failures, time-outs and throttling took', () => {
    const failed = [buildOk(1000, 'p', at(0, 0, 1)), buildFailure('error', { ...at(1000, 0, 2), afterMs: 1000 })];
    expect(throughput(failed).value).toBe(0.5);
    const timedOut = [buildOk(1000, 'p', at(0, 0, 1)), buildFailure('timed_out', at(1000, 0, 2))];
    expect(throughput(timedOut).value).toBeCloseTo(1 / 121, 12);
    expect(throughput([buildOk(1000, 'p', { ...at(3000, 0, 1), attempts: 2, throttleWaitMs: 3000 })]).value).toBe(0.25);
  });

  it('throughput does not mix the clocks of two processes', () => {
    const samples = [buildOk(1000, 'p', at(50_000, 0, 1)), buildOk(1000, 'p', { ...at(0, 0, 2), segment: 2 })];
    expect(throughput(samples).value).toBe(1);
  });

  it('throughput is not defined when variants were mixed', () => {
    expect(throughput([buildOk(1000, 'p')], { order: 'mixed' })).toMatchObject({ value: null, note: 'mixed_order' });
  });
});

describe('cost.per_output', () => {
  const cost = (samples: readonly Sample[]) =>
    measureIn(buildStoredRun({ variants: [{ baseUrl: 'https://api.test' }], samples }), {
      metric: 'cost.per_output',
      statistic: 'mean',
    });
  const paid = (repeat: number, costUsd: number | null) => ({ trial: { repeat }, costUsd });

  it('cost.per_output spreads what failures cost over what was delivered', () => {
    const samples = [
      buildOk(1, 'p', paid(1, 0.02)),
      buildOk(1, 'p', paid(2, 0.02)),
      buildFailure('error', paid(3, 0.02)),
    ];
    expect(cost(samples)).toMatchObject({ value: 0.03, n: 2, unit: 'usd', note: '' });
  });

  it('cost.per_output of many outputs at one price is that price, to the last bit', () => {
    for (const [price, outputs] of [
      [0.02, 57],
      [0.02, 114],
      [0.003, 201],
    ] as const) {
      const samples = Array.from({ length: outputs }, (_, at) => buildOk(1, 'p', paid(at + 1, price)));
      expect(cost(samples).value).toBe(price);
    }
  });

  it('cost.per_output names the failures whose cost is not known', () => {
    const samples = [buildOk(1, 'p', paid(1, 0.02)), buildFailure('error', paid(2, null))];
    expect(cost(samples)).toMatchObject({ value: 0.02, note: 'unknown_cost=1' });
  });

  it('cost.per_output is empty while no price is known', () => {
    expect(cost([buildOk(1, 'p', paid(1, null))])).toMatchObject({ value: null, note: 'no_price' });
    expect(cost([buildFailure('error')])).toMatchObject({ value: null, note: 'no_ok_trial' });
  });
});
