import { type Abort, type AbortNotice, createAbort } from '../../targets/transport/abort.ts';

/** Holds calls until they are due. */
export interface DueCalls {
  /** Resolves at that time and not before it, or when the signal is aborted. */
  readonly until: (dueMs: number, signal: AbortNotice) => Promise<void>;
  /** Lets go of every call whose time has come. */
  readonly look: () => void;
}

/**
 * A timer fires only when the event loop comes round, and a round in which hundreds of replies arrive at once, as at the
 * end of a stall, takes a tenth of a second. So the times are also looked at in between, whenever `look` is called.
 */
export function createDueCalls(now: () => number, sleep: (ms: number, signal: AbortNotice) => Promise<void>): DueCalls {
  const held = new Map<Abort, number>();
  return {
    until: async (dueMs, signal) => {
      const wake = createAbort();
      const onAbort = () => wake.abort();
      signal.addEventListener('abort', onAbort);
      held.set(wake, dueMs);
      // A timer may end up to a millisecond early.
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
