import type { Unreachable } from '../../record/model/stop.ts';
import type { EndedCall } from '../wire/wire-messages.ts';

/** Where the calls of a variant go. */
export interface Server {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The environment variable that the base URL was taken from; null where it was written out. */
  readonly variable: string | null;
}

/** How long a server that was reached before is waited for. */
const LONGEST_WAIT_MS = 60_000;
const FIRST_GAP_MS = 250;
const LONGEST_GAP_MS = 5_000;

/** Failures of opening a connection: no byte of the request can have left. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'dns_failed',
]);

/** The error of a submit that could not be sent, since no connection came about; null for every other end of a call. */
export function unsentError(result: EndedCall): { readonly code: string; readonly message: string } | null {
  if (result.outcome !== 'error' || result.httpStatus !== null || result.marks.sentMs !== undefined) return null;
  return NOT_CONNECTED.has(result.error.code) ? result.error : null;
}

/** What is known of whether servers can be reached. */
export interface Reach {
  /** A call that began then had a connection. */
  readonly reached: (server: Server, startedMs: number) => void;
  /** A call had none. Gives how long the same is to be waited before another try, or why there is to be none. */
  readonly missed: (server: Server, failure: string, tries: number) => { readonly waitMs: number } | Unreachable;
}

/**
 * A server that was never reached was not started, or its URL is wrong: there is no wait. One that was reached before is
 * waited for, up to a minute from the first failure on, with gaps that double from a quarter of a second to five.
 */
export function createReach(now: () => number): Reach {
  const known = new Set<string>();
  const missingSince = new Map<string, number>();
  return {
    reached: ({ origin }, startedMs) => {
      known.add(origin);
      // A call from before the failure says nothing of the server now.
      if (startedMs >= (missingSince.get(origin) ?? 0)) missingSince.delete(origin);
    },
    missed: ({ origin, variable }, failure, tries) => {
      if (!known.has(origin)) return { origin, variable, failure, waitedMs: 0 };
      const since = missingSince.get(origin) ?? now();
      missingSince.set(origin, since);
      const waitedMs = Math.round(now() - since);
      if (waitedMs >= LONGEST_WAIT_MS) return { origin, variable, failure, waitedMs };
      const gapMs = Math.min(LONGEST_GAP_MS, FIRST_GAP_MS * 2 ** tries);
      return { waitMs: Math.min(gapMs, LONGEST_WAIT_MS - waitedMs) };
    },
  };
}
