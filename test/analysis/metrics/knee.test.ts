import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src/record/sample.ts';
import { measureIn, measuresIn } from '../../fixtures/measure-query.ts';
import { buildFailure, buildOk } from '../../fixtures/sample-builder.ts';
import { buildStoredRun } from '../../fixtures/stored-run-builder.ts';
import { sweepRun } from '../../fixtures/told-load.ts';

/** `rounds` times `step` calls at once, each as long as told: throughput is step / latency. */
function at(step: number, latencyMs: number, rounds = 8): Sample[] {
  return Array.from({ length: rounds * step }, (_, index) =>
    buildOk(latencyMs + (index % 3) * 0.01, 'p', {
      slice: step,
      startedMs: Math.floor(index / step) * latencyMs,
      trial: { phase: 'step', step, repeat: index + 1 },
    }),
  );
}

function kneeOf(latencies: Readonly<Record<number, number>>, rounds?: number) {
  const steps = Object.keys(latencies).map(Number);
  const samples = steps.flatMap((step) => at(step, latencies[step] ?? 0, rounds));
  const record = buildStoredRun({ variants: [{}], samples, load: { steps, concurrency: Math.max(...steps) } });
  return measureIn(record, { metric: 'knee', statistic: 'concurrency' });
}

describe('knee', () => {
  it('is the number in flight with the most throughput per latency', () => {
    // Four workers: up to four nobody waits.
    expect(kneeOf({ 1: 100, 2: 100, 4: 100, 8: 200, 16: 400 })).toMatchObject({ value: 4, n: 5, note: '' });
  });

  it('is one where one accelerator is behind a queue', () => {
    expect(kneeOf({ 1: 100, 2: 200, 4: 400 })).toMatchObject({ value: 1, note: '' });
  });

  it('names the steps it cannot be told from', () => {
    // 4 / 141.42 and 2 / 100 give the same power to within the spread of the takes.
    expect(kneeOf({ 1: 100, 2: 100, 4: 141.42, 8: 400 })).toMatchObject({
      note: expect.stringMatching(/not told from [24] in flight/),
    });
    expect(kneeOf({ 1: 100, 2: 100, 4: 300 }, 1).note).toBe('no CI of the medians: n < 6');
  });

  it('says why there is none', () => {
    expect(kneeOf({ 1: 100, 2: 100 })).toMatchObject({ value: null, note: 'no knee: fewer than 3 steps delivered' });
    expect(kneeOf({ 1: 100, 2: 100, 4: 100 })).toMatchObject({
      value: null,
      note: 'no knee up to 4 in flight: throughput per latency still rises',
    });
    expect(kneeOf({ 2: 100, 4: 200, 8: 400 })).toMatchObject({
      value: null,
      note: 'no knee from 2 in flight on: throughput per latency falls from there',
    });
  });

  it('does not count a step at which nothing was delivered', () => {
    const failed = [1, 2].map((repeat) =>
      buildFailure('error', { slice: 9, trial: { phase: 'step', step: 8, repeat } }),
    );
    const samples = [...at(1, 100), ...at(2, 100), ...failed];
    const record = buildStoredRun({ variants: [{}], samples, load: { steps: [1, 2, 8], concurrency: 8 } });
    expect(measureIn(record, { metric: 'knee', statistic: 'concurrency' })).toMatchObject({ value: null, n: 2 });
  });

  it('is no measure outside a sweep', () => {
    expect(measuresIn(buildStoredRun({ samples: [buildOk(50, 'p')] }), 'knee')).toEqual([]);
  });
});

describe('a sweep', () => {
  const record = sweepRun();

  it('measures each step by itself', () => {
    const median = (step: number) => measureIn(record, { metric: 'latency.total', statistic: 'p50', step });
    expect(median(8).value).toBeGreaterThan(3 * (median(1).value ?? Number.NaN));
    expect([1, 2, 4].map((step) => median(step).n)).toEqual([60, 60, 60]);
    expect(measureIn(record, { metric: 'error_rate', statistic: 'rate', step: 8 })).toMatchObject({ value: 0.05 });
    const perSecond = (step: number) => measureIn(record, { metric: 'throughput', statistic: 'rate', step }).value ?? 0;
    expect(perSecond(2) / perSecond(1)).toBeCloseTo(2, 1);
    expect(perSecond(8) / perSecond(2)).toBeCloseTo(1, 1);
  });

  it('counts errors and equal bytes over all steps', () => {
    expect(measureIn(record, { metric: 'error_rate', statistic: 'rate' })).toMatchObject({ n: 240, value: 3 / 240 });
    expect(measureIn(record, { metric: 'determinism.byte', statistic: 'unstable' })).toMatchObject({ n: 10, value: 0 });
  });
});
