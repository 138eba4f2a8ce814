import type { Unreachable } from '../../record/model/stop.ts';
import { type Reach, type Server, unsentError } from '../limits/reach.ts';
import { sleep } from '../wire/clock.ts';
import type { EndedCall } from '../wire/wire-messages.ts';

/** What sending a call until its server is reached needs. */
export interface CallReached {
  readonly server: Server | null;
  readonly reach: Reach;
  /** Open load: the next start is the next try, and a call that found no server at its time has failed. */
  readonly mayWait: boolean;
  /** Aborted: no further try. */
  readonly stopped: AbortSignal;
  /** Whether the variant was abandoned meanwhile. */
  readonly isAbandoned: () => boolean;
  readonly waiting: (origin: string, code: string) => void;
  readonly reached: (origin: string) => void;
  readonly abandon: (server: Server, why: Unreachable) => void;
}

/**
 * Makes a call, and makes it again while no connection to its server can be opened: nothing of it has left, so it is
 * neither lost nor sent twice. Its marks are those of the last try. One that was never sent ends as cancelled, with the
 * attempts that did leave before.
 *
 * @param call told how many attempts left in earlier tries
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
