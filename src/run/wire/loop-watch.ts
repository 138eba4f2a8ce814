import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { LoopDelay } from '../../record/journal.ts';
import type { Marks } from '../../targets/recorded.ts';

/** Detects from the ticks of a timer when an event loop was held up. Times are milliseconds on one clock. */
export interface LoopWatch {
  readonly tick: (atMs: number) => void;
  /** How long the loop was held up before that timestamp; 0 if it was in time. */
  readonly delayBefore: (stampMs: number) => number;
  /** No earlier timestamp will be asked for. */
  readonly forget: (beforeMs: number) => void;
}

/** A tick was due at `fromMs` and came at `toMs`; the next came at `clearMs`. */
interface LoopStall {
  readonly fromMs: number;
  readonly toMs: number;
  clearMs: number;
}

/** Shorter delays distort no latency that matters; longer ones do above 1 % of it. */
const LEAST_DELAY_MS = 5;
const SHARE_OF_LATENCY = 0.01;

/**
 * Data that arrives while the loop is held up gets its timestamp when the loop is back, before or with the late tick.
 * So a stall distorts timestamps from the due time of its tick to the next tick, `periodMs` later.
 */
export function createLoopWatch(periodMs: number, startMs: number): LoopWatch {
  let lastMs = startMs;
  let stalls: LoopStall[] = [];
  return {
    tick: (atMs) => {
      const previous = stalls.at(-1);
      if (previous?.clearMs === Infinity) previous.clearMs = atMs;
      const fromMs = lastMs + periodMs;
      if (atMs - fromMs > LEAST_DELAY_MS) stalls.push({ fromMs, toMs: atMs, clearMs: Infinity });
      lastMs = atMs;
    },
    delayBefore: (stampMs) => {
      // The current stall has no tick yet.
      let longest = Math.max(0, stampMs - (lastMs + periodMs));
      for (let at = stalls.length - 1; at >= 0; at -= 1) {
        const stall = stalls[at];
        if (stall === undefined || stall.clearMs < stampMs) break;
        if (stall.fromMs < stampMs) longest = Math.max(longest, Math.min(stampMs, stall.toMs) - stall.fromMs);
      }
      return longest;
    },
    forget: (beforeMs) => {
      const kept = stalls.findIndex(({ clearMs }) => clearMs >= beforeMs);
      if (kept !== 0) stalls = kept < 0 ? [] : stalls.slice(kept);
    },
  };
}

/** Whether a delay above 5 ms and 1 % of the latency came directly before the start, the job's end or the last byte. */
export function hasHarnessLag(watch: Pick<LoopWatch, 'delayBefore'>, marks: Marks, endedMs: number): boolean {
  const { startedMs, readyMs, doneMs } = marks;
  const latencyMs = (doneMs ?? endedMs) - startedMs;
  const most = Math.max(LEAST_DELAY_MS, SHARE_OF_LATENCY * latencyMs);
  return [startedMs, readyMs, doneMs].some((stamp) => stamp !== undefined && watch.delayBefore(stamp) > most);
}

export interface LoopDelayWatch {
  /** While resting, lateness does not count. */
  readonly rest: (resting: boolean) => void;
  /** The worst of each number so far, over the stretches between rests. */
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
      // A new histogram: an old one would count the rest as a delay.
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
  return { p50Ms: Math.max(a.p50Ms, b.p50Ms), p99Ms: Math.max(a.p99Ms, b.p99Ms), maxMs: Math.max(a.maxMs, b.maxMs) };
}
