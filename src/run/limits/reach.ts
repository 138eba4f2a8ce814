import type { Unreachable } from '../../record/model/stop.ts';
import type { HttpProxy } from '../../targets/model/proxies.ts';
import { PROXY_FAILURES } from '../../targets/transport/wire.ts';
import type { EndedCall } from '../wire/wire-messages.ts';

export interface Server {
  readonly origin: string;
  /** The environment variable of the base URL; null if the URL is a literal. */
  readonly variable: string | null;
  /** That its requests go through; null: none. */
  readonly proxy: Pick<HttpProxy, 'origin' | 'variable'> | null;
}

const LONGEST_WAIT_MS = 60_000;
const FIRST_GAP_MS = 250;
const LONGEST_GAP_MS = 5_000;

/** Codes of connections that did not open: no byte of the request was sent. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'dns_failed',
  ...PROXY_FAILURES,
]);

export function unsentError(result: EndedCall): { readonly code: string; readonly message: string } | null {
  if (result.outcome !== 'error' || result.httpStatus !== null || result.marks.sentMs !== undefined) return null;
  return NOT_CONNECTED.has(result.error.code) ? result.error : null;
}

export interface ServerReach {
  readonly reached: (server: Server, startedMs: number) => void;
  /** For a call without connection. Gives the wait before the next try, or the reason not to try. */
  readonly missed: (server: Server, failure: string, tries: number) => { readonly waitMs: number } | Unreachable;
}

/**
 * Does not wait for a server that was never reached: it was not started, or its URL is wrong. Waits for another up to a
 * minute from the first failure, with gaps that double from 0.25 s to 5 s.
 */
export function createReach(now: () => number): ServerReach {
  const known = new Set<string>();
  const missingSince = new Map<string, number>();
  return {
    reached: ({ origin }, startedMs) => {
      known.add(origin);
      // A call from before the failure does not show that the server is back.
      if (startedMs >= (missingSince.get(origin) ?? 0)) missingSince.delete(origin);
    },
    missed: ({ origin, variable, proxy }, failure, tries) => {
      const at = failure.startsWith('proxy_') && proxy !== null ? proxy : { origin, variable };
      const where = { origin: at.origin, variable: at.variable, failure };
      if (!known.has(origin)) return { ...where, waitedMs: 0 };
      const since = missingSince.get(origin) ?? now();
      missingSince.set(origin, since);
      const waitedMs = Math.round(now() - since);
      if (waitedMs >= LONGEST_WAIT_MS) return { ...where, waitedMs };
      const gapMs = Math.min(LONGEST_GAP_MS, FIRST_GAP_MS * 2 ** tries);
      return { waitMs: Math.min(gapMs, LONGEST_WAIT_MS - waitedMs) };
    },
  };
}
