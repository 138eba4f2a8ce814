import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src/record/journal.ts';
import { type MeasureRow, measureIn, measuresIn } from '../../fixtures/measure-query.ts';
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
const LATE = [...takes(upTo(7)), ...timedOut(2)];
const STOPPED_EARLY = buildFailure('timed_out', { trial: { repeat: 2000 }, startedMs: 2e9, afterMs: 3000 });
/** Two that count, and what does not. */
const MIXED = [
  ...takes([1000, 3000]),
  buildFailure('error', { trial: { repeat: 8 } }),
  buildFailure('moderated', { trial: { repeat: 9 } }),
  buildOk(50_000, 'image', { trial: { phase: 'warmup', seed: 99 } }),
];
const FAILED = 'leaves out what failed otherwise, and warm-ups';
const RANKED = 'ranks what timed out above every value';

const UNKNOWN = { value: null, ciLow: null, ciHigh: null, ciLevel: null };
const OF_RANKS = { ciLevel: 0.95, unit: 'ms', better: 'lower', method: 'order_statistics', note: '' } as const;
const OPEN_ABOVE = { ciLow: 2000, ciHigh: null, ciLevel: 0.95, note: 'ci_high_above_ms=120000' };
// (58 + 1/3) x 0.95 + 1/3 = 55.75.
const P95_OF_58 = { ciLow: null, ciLevel: null, value: expect.closeTo(55_750, 6), note: 'needs_n=59' };

describe('latency.total', () => {
  it.each<[what: string, samples: readonly Sample[], statistic: string, expected: Partial<MeasureRow>]>([
    [
      'prints the interval of ranks',
      takes(upTo(10)),
      'p50',
      { value: 5500, n: 10, ciLow: 2000, ciHigh: 9000, ...OF_RANKS },
    ],
    ['prints no maximum as a quantile', takes(upTo(13)), 'p95', { ...UNKNOWN, note: 'value_needs_n=14;needs_n=59' }],
    ['prints no interval that would cover less', takes(upTo(58)), 'p95', P95_OF_58],
    ['prints an interval that covers enough', takes(upTo(59)), 'p95', { ciLow: 50_000, ciHigh: 59_000, note: '' }],
    ['prints no interval that would cover less', takes(upTo(5)), 'p50', { value: 3000, note: 'needs_n=6' }],
    ['claims only the waited time', [STOPPED_EARLY], 'p50', { note: 'censored_above_ms=3000;needs_n=6' }],
    ['claims only the waited time', [...timedOut(2), STOPPED_EARLY], 'max', { note: 'censored_above_ms=3000' }],
    [RANKED, LATE, 'p50', { value: 5000, n: 9, ...OPEN_ABOVE }],
    [RANKED, LATE, 'p90', { value: null, n: 9, note: 'censored_above_ms=120000;needs_n=29' }],
    [RANKED, LATE, 'max', { value: null, n: 9, note: 'censored_above_ms=120000' }],
    [RANKED, LATE, 'min', { value: 1000, n: 9, note: '' }],
    [RANKED, LATE, 'mean', { value: null, n: 9, note: 'timed_out=2' }],
    [
      'claims of a quantile beside a time-out only that it lies above the last value',
      [...takes([1000, 2000]), ...timedOut(2)],
      'p50',
      { value: null, note: 'censored_above_ms=2000;next_to_time_outs;needs_n=6' },
    ],
    [
      'says that all timed out',
      timedOut(8),
      'p50',
      { ...UNKNOWN, n: 8, note: 'censored_above_ms=120000;ci_above_ms=120000' },
    ],
    [FAILED, MIXED, 'mean', { value: 2000, n: 2 }],
    [FAILED, MIXED, 'max', { value: 3000, n: 2 }],
  ])('latency.total %s (%#)', (_, samples, statistic, expected) => {
    expect(measureIn(buildStoredRun({ samples }), { metric: 'latency.total', statistic })).toMatchObject(expected);
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
