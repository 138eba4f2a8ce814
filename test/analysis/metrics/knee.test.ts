import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src/record/journal.ts';
import { type MeasureRow, measureIn, measuresIn } from '../../fixtures/measure-query.ts';
import { sweepRun } from '../../fixtures/scripted-load.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/** Slices of two times `step` calls at once, each as long as told but for a little. */
function at(step: number, latencyMs: number, slices = 8, spread = 0.0003): Sample[] {
  return Array.from({ length: slices * 2 * step }, (_, index) => {
    const [slice, place] = [Math.floor(index / (2 * step)), index % (2 * step)];
    return buildOk(latencyMs * (1 + spread * (((index * 7) % 11) - 5)), 'p', {
      slice: 1000 * step + slice,
      startedMs: 10 * latencyMs * slice + Math.floor(place / step) * latencyMs,
      trial: { phase: 'step', step, repeat: index + 1 },
    });
  });
}

function kneeOf(latencies: Readonly<Record<number, number>>, slices?: number, spread?: number) {
  const steps = Object.keys(latencies).map(Number);
  const samples = steps.flatMap((step) => at(step, latencies[step] ?? 0, slices, spread));
  const record = buildStoredRun({ variants: [{}], samples, load: { steps, concurrency: Math.max(...steps) } });
  return measureIn(record, { metric: 'knee', statistic: 'concurrency' });
}

describe('knee', () => {
  it.each<[what: string, latencies: Parameters<typeof kneeOf>, expected: Partial<MeasureRow>]>([
    [
      'is the concurrency with the most throughput per latency: of four workers, up to four nobody waits',
      [{ 1: 100, 2: 100, 4: 100, 8: 200, 16: 400 }],
      { value: 4, ciLow: 4, ciHigh: 4, n: 5, method: 'power', note: '' },
    ],
    ['is one behind a queue', [{ 1: 100, 2: 200, 4: 400 }], { value: 1, note: '' }],
    [
      'has an interval over the steps that overlap with it',
      // 4 / 141.42 and 2 / 100 give the same power to within the spread of the takes.
      [{ 1: 100, 2: 100, 4: 141.42, 8: 400 }],
      { ciLow: 2, ciHigh: 4, note: expect.stringMatching(/^not_told_from_step=[24]$/) },
    ],
    [
      'is absent where intervals overlap with both ends',
      // The most lies at 4, and 8 is so little worse that the spread of the takes hides it.
      [{ 1: 100, 2: 100, 4: 100, 8: 145 }, 8, 0.03],
      { value: null, ciLow: null, note: 'steps_not_told_apart' },
    ],
    [
      'is absent of five slices',
      [{ 1: 100, 2: 100, 4: 100, 8: 200 }, 5],
      { value: null, note: 'steps_without_interval=3' },
    ],
    ['says why there is none', [{ 1: 100, 2: 100 }], { value: null, note: 'needs_steps=3' }],
    ['says why there is none', [{ 1: 100, 2: 100, 4: 100 }], { value: null, note: 'rises_to_step=4' }],
    ['says why there is none', [{ 2: 100, 4: 200, 8: 400 }], { value: null, note: 'falls_from_step=2' }],
  ])('the knee %s (%#)', (_, latencies, expected) => {
    expect(kneeOf(...latencies)).toMatchObject(expected);
  });

  it('the knee does not count a step at which nothing was delivered', () => {
    const failed = [1, 2].map((repeat) =>
      buildFailure('error', { slice: 9, trial: { phase: 'step', step: 8, repeat } }),
    );
    const samples = [...at(1, 100), ...at(2, 100), ...failed];
    const record = buildStoredRun({ variants: [{}], samples, load: { steps: [1, 2, 8], concurrency: 8 } });
    expect(measureIn(record, { metric: 'knee', statistic: 'concurrency' })).toMatchObject({ value: null, n: 2 });
  });

  it('the knee is no measure outside a sweep', () => {
    expect(measuresIn(buildStoredRun({ samples: [buildOk(50, 'p')] }), 'knee')).toEqual([]);
  });
});

describe('a sweep', () => {
  const record = sweepRun();

  it('a sweep measures each step by itself', () => {
    const median = (step: number) => measureIn(record, { metric: 'latency.total', statistic: 'p50', step });
    expect(median(8).value).toBeGreaterThan(3 * (median(1).value ?? Number.NaN));
    expect([1, 2, 4].map((step) => median(step).n)).toEqual([120, 120, 120]);
    expect(measureIn(record, { metric: 'error_rate', statistic: 'rate', step: 8 })).toMatchObject({ value: 0.05 });
    const throughput = (step: number) => measureIn(record, { metric: 'throughput', statistic: 'rate', step });
    // Two accelerators of 0.4 s: 2.5 a second at one in flight, 5 from two on. Slices of 20 are too short for one
    // from 4 on.
    expect(throughput(1).value).toBeCloseTo(2.5, 1);
    expect(throughput(2).value).toBeCloseTo(5, 1);
    for (const step of [4, 8]) {
      expect(throughput(step)).toMatchObject({ value: null, note: `slices_too_short=${10 * step}` });
    }
  });

  it('a sweep counts errors and equal bytes over all steps', () => {
    expect(measureIn(record, { metric: 'error_rate', statistic: 'rate' })).toMatchObject({ n: 480, value: 6 / 480 });
    expect(measureIn(record, { metric: 'determinism.byte', statistic: 'unstable' })).toMatchObject({ n: 10, value: 0 });
  });
});
