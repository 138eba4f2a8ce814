import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { type MeasureRow, measureIn, measuresIn } from '../../fixtures/measure-query.ts';
import { OPEN } from '../../fixtures/plan-input.ts';
import { buildFailure, buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';

/** A call that was due at `scheduledMs`, began `lagMs` later and took `tookMs` from then. */
function call(scheduledMs: number, tookMs: number, lagMs = 1, more = {}): Sample {
  const trial = { repeat: scheduledMs + 1 };
  return buildOk(tookMs, 'p', { scheduledMs, startedMs: scheduledMs + lagMs, trial, ...more });
}

function dropped(scheduledMs: number): Sample {
  const trial = { repeat: scheduledMs + 1 };
  return buildFailure('dropped', { scheduledMs, startedMs: scheduledMs, afterMs: 0, trial });
}

const record = (samples: readonly Sample[]) => buildStoredRun({ variants: [{}], load: OPEN, samples });

describe('latency under open load', () => {
  it('latency under open load counts from when a take was due, so that a stall of 2 s is in the tail', () => {
    // 10 a second for 100 s, 20 ms each; from 30 s on nothing is answered for 2 s.
    const due = Array.from({ length: 1000 }, (_, at) => at * 100);
    const samples = due.map((at) => call(at, (at > 30_000 && at <= 32_000 ? 32_000 - at : 0) + 20, 0));
    const p99 = measureIn(record(samples), { metric: 'latency.response', statistic: 'p99' });
    // By the schedule 20 calls wait 0, 0.1 ... 1.9 s longer; type 8 lies at (1000 + 1/3) 0.99 + 1/3 = 990.66 of 1,000.
    const waits = due.map((at) => (at > 30_000 && at <= 32_000 ? 32_000 - at : 0) + 20).sort((x, y) => x - y);
    const [lower = Number.NaN, upper = Number.NaN] = waits.slice(989, 991);
    expect(p99.value).toBeCloseTo(lower + (0.99 * (1000 + 1 / 3) + 1 / 3 - 990) * (upper - lower), 6);
    expect(p99.n).toBe(1000);
  });

  it.each([
    ['latency.response', 80],
    ['latency.total', 50],
    ['start_lag', 30],
  ])('a start lag under open load is in the response and not in the total: %s', (metric, value) => {
    const samples = [0, 100, 200].map((at) => call(at, 50, 30));
    expect(measureIn(record(samples), { metric, statistic: 'p50' })).toMatchObject({ value, n: 3 });
  });

  it('latency under open load ranks what timed out above every value', () => {
    const late = buildFailure('timed_out', { scheduledMs: 900, startedMs: 901, trial: { repeat: 99 } });
    const max = measureIn(record([call(0, 50), call(100, 50), late]), { metric: 'latency.response', statistic: 'max' });
    expect(max).toMatchObject({ value: null, n: 3, note: 'censored_above_ms=120000' });
  });

  it('latency under open load is given of each prompt, in place of latency.total', () => {
    const prompts = measuresIn(record([call(0, 50)]), 'latency.response').filter(({ prompt }) => prompt !== null);
    expect(prompts.map(({ statistic }) => statistic)).toEqual(['p50', 'min', 'max']);
    expect(measuresIn(record([call(0, 50)]), 'latency.total').every(({ prompt }) => prompt === null)).toBe(true);
  });
});

describe('a dropped start', () => {
  const samples = [call(0, 50), call(100, 50), dropped(200), dropped(300)];
  const price = { per: 'request', usd: 0.02 } as const;

  it.each<[metric: string, statistic: string, expected: Partial<MeasureRow>]>([
    ['dropped_rate', 'rate', { value: 0.5, n: 4, note: 'no_interval;ceiling=64' }],
    ['latency.response', 'p50', { n: 2 }],
    ['latency.total', 'p50', { n: 2 }],
    ['error_rate', 'rate', { value: 0, n: 2 }],
    ['throttled_rate', 'rate', { n: 2 }],
    ['start_lag', 'max', { n: 2 }],
    ['throughput', 'rate', { n: 2 }],
    ['cost.per_output', 'mean', { value: 0.02, note: '' }],
  ])('a dropped start counts in the dropped rate alone: %s', (metric, statistic, expected) => {
    const priced = buildStoredRun({ variants: [{ price }], load: OPEN, samples });
    expect(measureIn(priced, { metric, statistic })).toMatchObject(expected);
  });

  it('a dropped start is no failure and no request', () => {
    const { failures, run } = analyse(record(samples), METRICS).analysis;
    expect([failures, run.requestsSent]).toEqual([[], 2]);
  });
});

it.each<[what: string, samples: readonly Sample[], expected: Partial<MeasureRow>]>([
  [
    'counts what was done by the last due time, per second from the first, and not what was worked off later',
    // Those due at 0, 1 and 2 s are done by 4 s.
    [0, 1000, 2000, 3000, 4000].map((at) => call(at, 1500, 0)),
    { value: 0.75, ciLow: null, note: 'no_interval', method: 'done_while_due' },
  ],
  [
    'ends with the last due time also where it was dropped',
    [call(0, 100), call(100, 100), dropped(2000)],
    { value: 1 },
  ],
  ['is unknown for one call', [call(0, 100)], { value: null, note: 'no_trial' }],
])('throughput under open load %s', (_, samples, expected) => {
  expect(measureIn(record(samples), { metric: 'throughput', statistic: 'rate' })).toMatchObject(expected);
});

it('start_lag is unknown for a call that was sent again', () => {
  const again = call(100, 50, 3000, { attempts: 2, throttleWaitMs: 2990 });
  const lag = measureIn(record([call(0, 50), again]), { metric: 'start_lag', statistic: 'max' });
  expect(lag).toMatchObject({ value: 1, n: 1 });
});

it('start_lag has no measure under closed load', () => {
  expect(measuresIn(buildStoredRun({ samples: [buildOk(50, 'p')] }), 'start_lag')).toEqual([]);
});
