import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { LoopDelay } from '../../record/model/journal.ts';

/** How late the event loop of this thread comes back, while it is watched. */
export interface LoopDelayWatch {
  /** While it rests, lateness does not count. */
  readonly rest: (resting: boolean) => void;
  /** So far; of several stretches between rests the worst of each number. */
  readonly read: () => LoopDelay;
  readonly close: () => void;
}

/** Watches from now on. `periodMs`: how often it looks. */
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
      // A new one each time: one that is enabled again counts the rest itself as a delay.
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

/** What is beyond the period of the watch, which the histogram counts as delay too. */
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
