import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src/record/journal.ts';
import { measureIn, measuresIn } from '../../fixtures/measure-query.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/** Takes of one cell that took so long, one after the other. */
function takes(totals: readonly number[], prompt = 'fox'): Sample[] {
  return totals.map((totalMs, at) =>
    buildOk(totalMs, 'image', { trial: { prompt, repeat: at + 1 }, startedMs: at * 1e6 }),
  );
}

/** Sent in between takes. */
function timedOut(count: number): Sample[] {
  return Array.from({ length: count }, (_, at) =>
    buildFailure('timed_out', { trial: { repeat: 1000 + at }, startedMs: 0.5e6 + at * 2e6 }),
  );
}

/** The seconds from 1 to n, mixed so that no take resembles those before. */
const upTo = (n: number) => Array.from({ length: n }, (_, i) => 1000 * (1 + ((37 * i) % n)));
const total = (samples: readonly Sample[], statistic: string) =>
  measureIn(buildStoredRun({ samples }), { metric: 'latency.total', statistic });

describe('latency.total', () => {
  it('latency.total prints the median with the interval of its ranks', () => {
    expect(total(takes(upTo(10)), 'p50')).toMatchObject({
      value: 5500,
      ciLow: 2000,
      ciHigh: 9000,
      ciLevel: 0.95,
      n: 10,
      unit: 'ms',
      better: 'lower',
      method: 'order_statistics',
      note: '',
    });
  });

  it('latency.total prints no quantile that would be the maximum, and no interval that would cover less', () => {
    expect(total(takes(upTo(13)), 'p95')).toMatchObject({
      value: null,
      ciLow: null,
      ciHigh: null,
      ciLevel: null,
      note: 'value_needs_n=14;needs_n=59',
    });
    expect(total(takes(upTo(58)), 'p95')).toMatchObject({ ciLow: null, ciLevel: null, note: 'needs_n=59' });
    // (58 + 1/3) x 0.95 + 1/3 = 55.75.
    expect(total(takes(upTo(58)), 'p95').value).toBeCloseTo(55_750, 6);
    expect(total(takes(upTo(59)), 'p95')).toMatchObject({ ciLow: 50_000, ciHigh: 59_000, note: '' });
    expect(total(takes(upTo(5)), 'p50')).toMatchObject({ value: 3000, note: 'needs_n=6' });
  });

  it('latency.total claims only the waited time of a job that the deadline of its polls ended', () => {
    const short = buildFailure('timed_out', { trial: { repeat: 2000 }, startedMs: 2e9, afterMs: 3000 });
    expect(total([short], 'p50').note).toBe('censored_above_ms=3000;needs_n=6');
    expect(total([...timedOut(2), short], 'max').note).toBe('censored_above_ms=3000');
  });

  it('latency.total ranks what timed out above every value', () => {
    const samples = [...takes(upTo(7)), ...timedOut(2)];
    expect(total(samples, 'p50')).toMatchObject({ value: 5000, n: 9, ciLow: 2000, ciHigh: null, ciLevel: 0.95 });
    expect(total(samples, 'p50').note).toBe('ci_high_above_ms=120000');
    expect(total(samples, 'p90')).toMatchObject({ value: null, n: 9, note: 'censored_above_ms=120000;needs_n=29' });
    expect(total(samples, 'max')).toMatchObject({ value: null, n: 9, note: 'censored_above_ms=120000' });
    expect(total(samples, 'min')).toMatchObject({ value: 1000, n: 9, note: '' });
    expect(total(samples, 'mean')).toMatchObject({ value: null, n: 9, note: 'timed_out=2' });
  });

  it('latency.total claims of a quantile beside a time-out only that it lies above the last value', () => {
    expect(total([...takes([1000, 2000]), ...timedOut(2)], 'p50')).toMatchObject({
      value: null,
      note: 'censored_above_ms=2000;next_to_time_outs;needs_n=6',
    });
  });

  it('latency.total says so when everything timed out', () => {
    expect(total(timedOut(8), 'p50')).toMatchObject({
      value: null,
      ciLow: null,
      ciHigh: null,
      ciLevel: null,
      n: 8,
      note: 'censored_above_ms=120000;ci_above_ms=120000',
    });
  });

  it('latency.total leaves out what failed otherwise, and warm-ups', () => {
    const samples = [
      ...takes([1000, 3000]),
      buildFailure('error', { trial: { repeat: 8 } }),
      buildFailure('moderated', { trial: { repeat: 9 } }),
      buildOk(50_000, 'image', { trial: { phase: 'warmup', seed: 99 } }),
    ];
    expect(total(samples, 'mean')).toMatchObject({ value: 2000, n: 2 });
    expect(total(samples, 'max')).toMatchObject({ value: 3000, n: 2 });
  });

  it('latency.total is given of each prompt too, without tails', () => {
    const record = buildStoredRun({ prompts: ['fox', 'cat'], samples: [...takes([1, 2]), ...takes([8], 'cat')] });
    expect(measureIn(record, { metric: 'latency.total', statistic: 'p50', prompt: 'cat' }).value).toBe(8);
    expect(measuresIn(record, 'latency.total').map(({ prompt, statistic }) => [prompt, statistic])).toEqual([
      ...['p50', 'p90', 'p95', 'p99', 'mean', 'min', 'max'].map((statistic) => [null, statistic]),
      ...['p50', 'min', 'max'].map((statistic) => ['fox', statistic]),
      ...['p50', 'min', 'max'].map((statistic) => ['cat', statistic]),
    ]);
  });
});

describe('the other latencies', () => {
  it('the other latencies are given where an endpoint has them', () => {
    const record = buildStoredRun({ samples: takes([1000, 2000, 4000]) });
    const median = (metric: string) => measureIn(record, { metric, statistic: 'p50' }).value;
    expect(median('latency.submit')).toBe(1500);
    expect(median('latency.generation')).toBe(1500);
    expect(median('latency.download')).toBe(500);
    expect(median('latency.ttfb')).toBe(1500);
    for (const metric of ['latency.queue', 'latency.run', 'latency.detect', 'latency.response', 'latency.server']) {
      expect(measuresIn(record, metric)).toEqual([]);
    }
  });

  it('the other latencies keep what the server says apart', () => {
    const samples = [700, 900].map((serverMs, at) => buildOk(1000, 'p', { serverMs, trial: { repeat: at + 1 } }));
    const record = buildStoredRun({ samples });
    expect(measureIn(record, { metric: 'latency.server', statistic: 'p50' })).toMatchObject({ value: 800, n: 2 });
  });

  it('the other latencies count a time-out where a caller waits, and say where it is left out', () => {
    const record = buildStoredRun({ samples: [...takes([1000, 2000]), ...timedOut(1)] });
    expect(measureIn(record, { metric: 'latency.generation', statistic: 'p50' })).toMatchObject({ value: 1500, n: 3 });
    expect(measureIn(record, { metric: 'latency.download', statistic: 'max' })).toMatchObject({
      value: 500,
      n: 2,
      note: 'timed_out_left_out=1',
    });
  });
});

describe('latency.cold', () => {
  const cold = (samples: readonly Sample[]) =>
    measureIn(buildStoredRun({ variants: [{}], samples }), { metric: 'latency.cold', statistic: 'first' });
  const warmup = (repeat: number) => ({ trial: { phase: 'warmup' as const, repeat }, startedMs: repeat });

  it('latency.cold is the first warm-up', () => {
    expect(cold([buildOk(300, 'p', warmup(2)), buildOk(900, 'p', warmup(1))])).toMatchObject({ value: 900, n: 1 });
  });

  it('latency.cold says why there is none', () => {
    expect(cold([])).toMatchObject({ value: null, n: 0, note: 'no_warmup' });
    expect(cold([buildFailure('error', warmup(1)), buildOk(300, 'p', warmup(2))]).note).toBe('warmup_error');
    expect(cold([buildFailure('timed_out', warmup(1))]).note).toBe('censored_above_ms=120000');
  });
});
