import { type Abort, type AbortNotice, createAbort } from '../../targets/transport/abort.ts';

export interface DueCalls {
  /** Resolves at that time, not before, or when the signal is aborted. */
  readonly until: (dueMs: number, signal: AbortNotice) => Promise<void>;
  readonly look: () => void;
}

/**
 * A timer fires only between turns of the event loop, and a turn with hundreds of replies, as after a stall, takes 0.1
 * s. So `look` checks the times in between.
 */
export function createDueCalls(now: () => number, sleep: (ms: number, signal: AbortNotice) => Promise<void>): DueCalls {
  const held = new Map<Abort, number>();
  return {
    until: async (dueMs, signal) => {
      const wake = createAbort();
      const onAbort = () => wake.abort();
      signal.addEventListener('abort', onAbort);
      held.set(wake, dueMs);
      // A timer may end up to 1 ms early.
      while (!signal.aborted && now() < dueMs) await sleep(dueMs - now(), wake.signal);
      held.delete(wake);
      signal.removeEventListener('abort', onAbort);
    },
    look: () => {
      if (held.size === 0) return;
      const nowMs = now();
      for (const [wake, dueMs] of held) if (dueMs <= nowMs) wake.abort();
    },
  };
}
