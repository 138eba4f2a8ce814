import type { Outcome } from '../record/codes.ts';
import type { FailuresExceeded, Unreachable } from '../record/journal.ts';
import { clopperPearsonLower } from '../statistics/rate-interval.ts';
import type { HttpProxy } from '../targets/origins.ts';
import type { KeyNames } from '../targets/secrets.ts';
import { PROXY_FAILURES } from '../targets/wire.ts';
import { sleep } from './clock.ts';
import type { EndedCall } from './events.ts';

const LEAST_SAMPLES = 20;

/** One-sided. A service that fails exactly at the limit stops a run in about one of a thousand checks. */
const STOP_CONFIDENCE = 0.999;

/** Neither success nor failure of the service. */
const LEFT_OUT: ReadonlySet<Outcome> = new Set(['cancelled', 'dropped', 'defect']);

/** The service did its work: media, or refusal of a prompt. Every other outcome spends without measuring. */
const SERVED: ReadonlySet<Outcome> = new Set(['ok', 'moderated']);

export interface FailureLimit {
  readonly count: (outcome: Outcome) => FailuresExceeded | null;
}

/**
 * From 20 samples on, stops a run when the one-sided 99.9 % lower bound (Clopper-Pearson) of the failure rate exceeds
 * `limit` (0 to 1). Unlike in error_rate, throttled requests count: a run in which nothing gets through should stop.
 */
export function createFailureLimit(limit: number): FailureLimit {
  const outcomes = new Map<Outcome, number>();
  return {
    count: (outcome) => {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      return exceedFailureLimit(outcomes, limit);
    },
  };
}

/** Null unless the failures among `outcomes` (samples by outcome) significantly exceed the limit. */
export function exceedFailureLimit(
  outcomes: Iterable<readonly [Outcome, number]>,
  limit: number,
): FailuresExceeded | null {
  let failed = 0;
  let total = 0;
  for (const [outcome, count] of outcomes) {
    if (LEFT_OUT.has(outcome)) continue;
    total += count;
    if (!SERVED.has(outcome)) failed += count;
  }
  if (total < LEAST_SAMPLES || clopperPearsonLower(failed, total, STOP_CONFIDENCE) <= limit) return null;
  return { failed, samples: total, limit };
}

export interface ServiceEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface OwnService {
  readonly ended: Promise<ServiceEnd>;
  readonly serves: (variant: string) => boolean;
}

/** The end of a process may be noticed this long after its connections close. */
const TOLD_WITHIN_MS = 500;

/** The result of a call; cancelled if our own service has ended, which closes connections before its end is known. */
export async function withoutOwnService(
  service: OwnService | null,
  variant: string,
  result: EndedCall | Error,
): Promise<EndedCall | Error> {
  if (service === null || result instanceof Error || !service.serves(variant)) return result;
  if (result.outcome !== 'error' && result.outcome !== 'cancelled') return result;
  const waited = sleep(result.outcome === 'error' ? TOLD_WITHIN_MS : 0, NEVER);
  const hasEnded = await Promise.race([service.ended.then(() => true), waited.then(() => false)]);
  return hasEnded ? { ...result, outcome: 'cancelled', error: SERVICE_ENDED } : result;
}

const NEVER = new AbortController().signal;

const SERVICE_ENDED = { code: 'service_ended', message: 'the reference service of the run ended' };

export function lostItsService(result: EndedCall): boolean {
  return result.outcome === 'cancelled' && result.error.code === SERVICE_ENDED.code;
}

export interface Server {
  readonly origin: string;
  /** Environment variable of the base URL; null for a literal URL. */
  readonly variable: string | null;
  /** Null: none. */
  readonly proxy: Pick<HttpProxy, 'origin' | 'variable'> | null;
  /** Of the variant; absent without one. */
  readonly keys?: KeyNames;
}

const LONGEST_WAIT_MS = 60_000;
const FIRST_GAP_MS = 250;
const LONGEST_GAP_MS = 5_000;

/** Codes of connections that did not open: nothing was sent. */
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
  /** The wait before the next try, or the reason not to try again. */
  readonly missed: (server: Server, failure: string, tries: number) => { readonly waitMs: number } | Unreachable;
}

/**
 * Does not wait for a server that was never reached: it was not started, or its URL is wrong. Waits for others up to a
 * minute from the first failure, with gaps doubling from 0.25 s to 5 s.
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
