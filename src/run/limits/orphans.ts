import type { Outcome } from '../../record/model/outcomes.ts';
import type { Marks } from '../../targets/model/marks.ts';

/** Requests that were abandoned and may go on at the service. Times are milliseconds on the segment's clock. */
export interface OrphanWatch {
  /**
   * A call ended. Says whether an orphan may have been running beside it; its own does not count. To be told of calls
   * in the order in which they ended.
   */
  readonly ended: (call: OrphanCall) => boolean;
  /** How many there were. */
  readonly count: () => number;
}

/** What is asked of a call that ended. */
export interface OrphanCall {
  readonly outcome: Outcome;
  readonly marks: Marks;
  readonly endedMs: number;
  readonly timeoutMs: number;
  /** What the service said when it was asked to end the job. */
  readonly cancel?: { readonly cancelled: boolean } | null;
}

/**
 * An orphan counts for as long again as its time limit: nobody says when a service lets go of it, and one that works
 * for more than twice what the suite allows is rare.
 */
export function createOrphanWatch(): OrphanWatch {
  let count = 0;
  let runningUntilMs = -Infinity;
  return {
    ended: (call) => {
      // Every orphan so far was abandoned before this call ended, so only the last to end can matter.
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

/**
 * Whether the service may be at work on a call that was abandoned: its request left, and neither was the result ready
 * nor was it refused, nor has the service said that it let go of the job.
 */
export function mayGoOn({ outcome, marks, cancel }: Pick<OrphanCall, 'outcome' | 'marks' | 'cancel'>): boolean {
  if (cancel?.cancelled === true) return false;
  if (outcome !== 'timed_out' && outcome !== 'cancelled') return false;
  const { sentMs, refusedMs, acceptedMs, lastPendingMs, readyMs } = marks;
  if (sentMs === undefined || refusedMs !== undefined || readyMs !== undefined) return false;
  return acceptedMs === undefined || lastPendingMs !== undefined;
}
