import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { LoopDelay } from '../../record/model/journal.ts';

export interface LoopDelayWatch {
  /** While resting, lateness does not count. */
  readonly rest: (resting: boolean) => void;
  /** So far; the worst of each number over the stretches between rests. */
  readonly read: () => LoopDelay;
  readonly close: () => void;
}

export function watchLoopDelay(periodMs: number): LoopDelayWatch {
  const before: LoopDelay[] = [];
  let watching: IntervalHistogram | null = started(periodMs);
  const stop = () => {
    if (watching === null) return;
    watching.disable();
    before.push(delayOf(watching, periodMs));
    watching = null;
  };
  return {
    rest: (resting) => {
      if (resting) stop();
      // A new histogram each time: one that is enabled again counts the rest as a delay.
      else watching ??= started(periodMs);
    },
    read: () => [...before, ...(watching === null ? [] : [delayOf(watching, periodMs)])].reduce(worse),
    close: stop,
  };
}

function started(periodMs: number): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: periodMs });
  histogram.enable();
  return histogram;
}

/** Subtracts the period, which the histogram counts as delay too. */
function delayOf(histogram: IntervalHistogram, periodMs: number): LoopDelay {
  const lateMs = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e3 - periodMs * 1e3) / 1e3);
  return {
    p50Ms: lateMs(histogram.percentile(50)),
    p99Ms: lateMs(histogram.percentile(99)),
    maxMs: lateMs(histogram.max),
  };
}

function worse(a: LoopDelay, b: LoopDelay): LoopDelay {
  return {
    p50Ms: Math.max(a.p50Ms, b.p50Ms),
    p99Ms: Math.max(a.p99Ms, b.p99Ms),
    maxMs: Math.max(a.maxMs, b.maxMs),
  };
}
