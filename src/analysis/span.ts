import type { Sample } from '../record/sample.ts';

/**
 * Milliseconds from the first start to the last end of samples of one segment, however they ended; waiting for a
 * throttled request belongs to it, since its slot was held. 0 of none.
 */
export function spanMs(samples: readonly Sample[]): number {
  if (samples.length === 0) return 0;
  let first = Infinity;
  let last = -Infinity;
  for (const { marks, throttleWaitMs, endedMs } of samples) {
    first = Math.min(first, marks.startedMs - throttleWaitMs);
    last = Math.max(last, endedMs);
  }
  return last - first;
}
