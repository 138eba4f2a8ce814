import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Spread } from '../../record/calibration.ts';
import { fewestForQuantile } from '../../statistics/quantile.ts';
import { toNanosecond } from './floor.ts';
import { type Effort, type SamplingEdge, spreadOf, timePart, timeWork } from './sampling.ts';

const CLOCK_READINGS = 2000;

const TIMER_MS = 5;

const LOOK_EVERY_MS = 1;

/**
 * From a reading of the clock to the first that differs. The p50 includes the cost of a reading, on most machines above
 * the clock's own step; the minimum is nearest to that step.
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

/** How late the callback of a 5 ms setTimeout runs. An early one, as whole milliseconds allow, counts 0. */
export function timerLateness(effort: Effort, edge: SamplingEdge): Promise<Spread | null> {
  const late = async () => {
    const setMs = edge.now();
    await edge.sleep(TIMER_MS, edge.signal);
    return Math.max(0, edge.now() - setMs - TIMER_MS);
  };
  return timePart('timer lateness', late, effort, edge);
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
