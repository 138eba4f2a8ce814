import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Spread } from '../record/model/calibration.ts';
import { fewestForQuantile } from '../statistics/samples/quantile.ts';
import { type Effort, type SamplingEdge, timePart, timeWork } from './sampling.ts';
import { spreadOf, toNanosecond } from './spread.ts';

/** How often the clock is read until it differs. */
const CLOCK_READINGS = 2000;

/** A timer as short as the polls of a fast job. */
const TIMER_MS = 5;

/** The finest that the histogram of perf_hooks looks at: as close as timers stand. */
const LOOK_EVERY_MS = 1;

/**
 * The step of the clock: from a reading to the first one that differs. Its p50 holds what a reading itself costs, which on
 * most machines is more than the clock's own grain; its minimum is nearest to the grain.
 */
export function clockStep(edge: SamplingEdge): Promise<Spread | null> {
  const step = () => {
    const from = edge.now();
    let to = edge.now();
    while (to === from) to = edge.now();
    return { overriddenDuration: to - from };
  };
  return timeWork('clock step', step, { fewest: CLOCK_READINGS, forMs: 0, mostMs: 100, warmup: 100 }, edge);
}

/** Lateness of timers (setTimeout): how long after 5 ms the callback runs. One that comes early, as whole milliseconds allow, counts 0. */
export function timerLateness(effort: Effort, edge: SamplingEdge): Promise<Spread | null> {
  const late = async () => {
    const setMs = edge.now();
    await edge.sleep(TIMER_MS, edge.signal);
    return Math.max(0, edge.now() - setMs - TIMER_MS);
  };
  return timePart('timer lateness', late, effort, edge);
}

/**
 * Event-loop delay of this thread while it is idle for `idleMs`: how long after its time a timer of the loop fires, by
 * perf_hooks.monitorEventLoopDelay, which looks every millisecond and counts the time from one look to the next. That
 * millisecond is taken off; looks that come closer than it, after a late one, count 0. A loop that never came to look stalled all
 * the while: that is one look, so late.
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
