import type { Outcome } from '../../record/model/outcomes.ts';
import type { Marks } from '../../targets/model/marks.ts';

/** Abandoned requests that the service may still work on. Times are milliseconds on the segment's clock. */
export interface OrphanWatch {
  /** To be called in the order of ends. True if an orphan, other than the call itself, may have run beside the call. */
  readonly ended: (call: OrphanCall) => boolean;
  readonly count: () => number;
}

export interface OrphanCall {
  readonly outcome: Outcome;
  readonly marks: Marks;
  readonly endedMs: number;
  readonly timeoutMs: number;
  readonly cancel?: { readonly cancelled: boolean } | null;
}

/** An orphan counts for its time limit once more: services rarely work for more than twice the limit. */
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

/** Whether the service may still work on it: sent, without result, not refused, its job not cancelled. */
export function mayGoOn({ outcome, marks, cancel }: Pick<OrphanCall, 'outcome' | 'marks' | 'cancel'>): boolean {
  if (cancel?.cancelled === true) return false;
  if (outcome !== 'timed_out' && outcome !== 'cancelled') return false;
  const { sentMs, refusedMs, acceptedMs, lastPendingMs, readyMs } = marks;
  if (sentMs === undefined || refusedMs !== undefined || readyMs !== undefined) return false;
  return acceptedMs === undefined || lastPendingMs !== undefined;
}
