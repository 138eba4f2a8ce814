import type { Marks } from '../../targets/model/marks.ts';

/** Knows from the ticks of a timer when an event loop was held up. Times are milliseconds on one clock. */
export interface LoopWatch {
  /** The timer fired. */
  readonly tick: (atMs: number) => void;
  /** How long the loop had been held up when that stamp was taken; 0 where it had just come back in time. */
  readonly delayBefore: (stampMs: number) => number;
  /** No stamp before that time will be asked after. */
  readonly forget: (beforeMs: number) => void;
}

/** A tick was due at `fromMs` and came at `toMs`; at `clearMs` the loop had come back once more. */
interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
  clearMs: number;
}

/** Delays up to here bend no latency that anybody compares; longer ones do where they are above 1 % of it. */
const LEAST_DELAY_MS = 5;
const SHARE_OF_LATENCY = 0.01;

/**
 * What was ready to be read while the loop was held up is stamped when it comes back, in the same round as the late
 * tick or before it: a stall bends every stamp from the time its tick was due until the tick after it.
 *
 * @param periodMs of the timer, which counts from one tick to the next
 */
export function createLoopWatch(periodMs: number, startMs: number): LoopWatch {
  let lastMs = startMs;
  let stalls: Stall[] = [];
  return {
    tick: (atMs) => {
      const previous = stalls.at(-1);
      if (previous?.clearMs === Infinity) previous.clearMs = atMs;
      const fromMs = lastMs + periodMs;
      if (atMs - fromMs > LEAST_DELAY_MS) stalls.push({ fromMs, toMs: atMs, clearMs: Infinity });
      lastMs = atMs;
    },
    delayBefore: (stampMs) => {
      // The stall that is still going on has no tick yet.
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

/**
 * Whether a delay above 5 ms and above 1 % of the latency immediately preceded the stamping of a call's start, of the
 * reply that said done, or of its last byte.
 */
export function hasHarnessLag(watch: Pick<LoopWatch, 'delayBefore'>, marks: Marks, endedMs: number): boolean {
  const { startedMs, readyMs, doneMs } = marks;
  const latencyMs = (doneMs ?? endedMs) - startedMs;
  const most = Math.max(LEAST_DELAY_MS, SHARE_OF_LATENCY * latencyMs);
  return [startedMs, readyMs, doneMs].some((stamp) => stamp !== undefined && watch.delayBefore(stamp) > most);
}
