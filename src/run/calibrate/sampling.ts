import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Bench, type FnReturnedObject, type Task } from 'tinybench';
import type { Spread } from '../../record/calibration.ts';
import { fewestForQuantile, median, quantile, sortSample } from '../../statistics/quantile.ts';
import { toNanosecond } from './floor.ts';

export interface SamplingEdge {
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** How long to measure: until both `fewest` calls and `forMs` are reached, but at most `mostMs`. */
export interface Effort {
  readonly fewest: number;
  readonly forMs: number;
  /** On a busy machine this ends with fewer calls than `fewest`, but at least one. */
  readonly mostMs: number;
  /** Calls that do not count: code is compiled and connections are opened. */
  readonly warmup: number;
}

/**
 * Spread of the duration of `part`, which returns it in ms. The `pauseMs` before each call are not in the spread. Null
 * when aborted; throws what the part throws.
 */
export async function timePart(
  name: string,
  part: () => Promise<number>,
  { pauseMs = 0, fewest, forMs, mostMs, warmup }: Effort & { readonly pauseMs?: number },
  { now, sleep, signal }: SamplingEdge,
): Promise<Spread | null> {
  const overrun = new AbortController();
  const beganMs = now();
  let calls = 0;
  const call = async (): Promise<FnReturnedObject> => {
    calls += 1;
    const callBeganMs = now();
    // The call that notices it still counts; no other is made.
    if (calls > warmup && callBeganMs - beganMs > mostMs) overrun.abort();
    if (pauseMs > 0) await sleep(pauseMs, signal);
    const overriddenDuration = await part();
    return { overriddenDuration, overriddenIterationCost: now() - callBeganMs };
  };
  const bench = new Bench({
    now,
    // A signal of its own, because tinybench leaves its listeners on it.
    signal: AbortSignal.any([signal, overrun.signal]),
    iterations: fewest,
    time: forMs,
    warmupIterations: warmup,
    warmupTime: 0,
    retainSamples: true,
  });
  const [task] = await bench.add(name, call, { async: true }).run();
  if (signal.aborted) return null;
  return spreadOf(samplesOf(name, task));
}

/** Quantiles (type 8) in milliseconds; null below the count that they need. Throws if there is no duration. */
export function spreadOf(durationsMs: Iterable<number>): Spread {
  const sample = sortSample(durationsMs);
  const [min, max, p50] = [sample[0], sample.at(-1), median(sample)];
  if (min === undefined || max === undefined || p50 === null) throw new RangeError('nothing was measured');
  const [p25, p75] = [quantile(sample, 25) ?? min, quantile(sample, 75) ?? max];
  const [p95, p99] = [quantile(sample, 95), quantile(sample, 99)];
  return {
    unit: 'ms',
    n: sample.length,
    min: toNanosecond(min),
    p50: toNanosecond(p50),
    iqr: toNanosecond(p75 - p25),
    p95: p95 === null ? null : toNanosecond(p95),
    p99: p99 === null ? null : toNanosecond(p99),
    max: toNanosecond(max),
  };
}

function samplesOf(name: string, task: Task | undefined): readonly number[] {
  const result = task?.result;
  if (result?.state === 'errored') throw result.error;
  const measured = result?.state === 'completed' || result?.state === 'aborted-with-statistics';
  const samples = measured ? result.latency.samples : undefined;
  if (samples === undefined) throw new Error(`calibration measured nothing of ${name}`);
  return samples;
}

const CLOCK_READINGS = 2000;

const LOOK_EVERY_MS = 1;

/**
 * From a reading of the clock to the first that differs. The p50 includes the cost of a reading, on most machines above
 * the clock's own step; the minimum is nearest to that step.
 */
export function clockStep(edge: SamplingEdge): Promise<Spread | null> {
  const step = async () => {
    const from = edge.now();
    let to = edge.now();
    while (to === from) to = edge.now();
    return to - from;
  };
  return timePart('clock step', step, { fewest: CLOCK_READINGS, forMs: 0, mostMs: 100, warmup: 100 }, edge);
}

/**
 * Event-loop delay of this thread while idle for `idleMs`. perf_hooks.monitorEventLoopDelay counts the time between two
 * checks, 1 ms apart, which is subtracted. Without a check the loop stalled all the time: one delay of that length.
 */
export async function idleDelay(idleMs: number, { now, sleep, signal }: SamplingEdge): Promise<Spread | null> {
  const histogram = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  const beganMs = now();
  histogram.enable();
  await sleep(idleMs, signal);
  histogram.disable();
  if (signal.aborted) return null;
  const { count: n } = histogram;
  if (n === 0) return spreadOf([now() - beganMs]);
  const delay = (ns: number) => toNanosecond(Math.max(0, ns / 1e6 - LOOK_EVERY_MS));
  const quantile = (percent: number) => (n < fewestForQuantile(percent) ? null : delay(histogram.percentile(percent)));
  return {
    unit: 'ms',
    n,
    min: delay(histogram.min),
    p50: delay(histogram.percentile(50)),
    iqr: toNanosecond(delay(histogram.percentile(75)) - delay(histogram.percentile(25))),
    p95: quantile(95),
    p99: quantile(99),
    max: delay(histogram.max),
  };
}
