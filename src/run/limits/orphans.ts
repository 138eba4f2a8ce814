import { mayGoOn, type OrphanCall } from '../../record/trial-histories.ts';

/** Abandoned requests that the service may still work on. Times are milliseconds on the segment's clock. */
export interface OrphanWatch {
  /** Call in the order of ends. True if an orphan, other than the call itself, may have run beside it. */
  readonly ended: (call: OrphanCall) => boolean;
  readonly count: () => number;
}

/** Counts an orphan for its time limit once more: services rarely work for more than twice the limit. */
export function createOrphanWatch(): OrphanWatch {
  let count = 0;
  let runningUntilMs = -Infinity;
  return {
    ended: (call) => {
      // All orphans were abandoned before this call ended: only the last to end matters.
      const beside = runningUntilMs > call.marks.startedMs;
      if (mayGoOn(call)) {
        count += 1;
        runningUntilMs = Math.max(runningUntilMs, call.endedMs + call.timeoutMs);
      }
      return beside;
    },
    count: () => count,
  };
}
