import type { Unreachable } from '../../record/journal.ts';
import { sleep } from '../clock.ts';
import type { EndedCall } from '../events.ts';
import { type Server, type ServerReach, unsentError } from '../limits.ts';

export interface CallReached {
  readonly server: Server | null;
  readonly reach: ServerReach;
  /** False under open load: a call that finds no server at its time has failed. */
  readonly mayWait: boolean;
  readonly stopped: AbortSignal;
  readonly isAbandoned: () => boolean;
  readonly waiting: (origin: string, code: string) => void;
  readonly reached: (origin: string) => void;
  readonly abandon: (server: Server, why: Unreachable) => void;
}

/**
 * Makes a call, and repeats it while no connection opens: nothing was sent, so nothing is lost or sent twice.
 * Timestamps are of the last try. `call` gets the number of attempts sent in earlier tries.
 */
export async function callReached(
  call: (attemptsBefore: number) => Promise<EndedCall | Error>,
  { server, reach, mayWait, stopped, isAbandoned, waiting, reached, abandon }: CallReached,
): Promise<{ readonly result: EndedCall | Error; readonly tries: number; readonly unsent: boolean }> {
  let attempts = 0;
  let throttleWaitMs = 0;
  for (let tries = 0; ; tries += 1) {
    const result = await call(attempts);
    if (result instanceof Error || server === null) return { result, tries, unsent: false };
    const whole = {
      ...result,
      attempts: attempts + result.attempts,
      throttleWaitMs: throttleWaitMs + result.throttleWaitMs,
    };
    const error = unsentError(result);
    if (error === null || result.outcome !== 'error') {
      reach.reached(server, result.marks.startedMs);
      if (tries > 0) reached(server.origin);
      return { result: whole, tries, unsent: false };
    }
    attempts = whole.attempts - 1;
    throttleWaitMs = whole.throttleWaitMs;
    const next = reach.missed(server, error.code, tries);
    if (!('waitMs' in next)) abandon(server, next);
    else if (!mayWait) return { result: whole, tries, unsent: false };
    else {
      waiting(server.origin, error.code);
      await sleep(next.waitMs, stopped);
    }
    if (stopped.aborted || isAbandoned())
      return { result: { ...result, attempts, throttleWaitMs, outcome: 'cancelled' }, tries, unsent: true };
  }
}
