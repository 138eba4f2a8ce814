import type { AbortNotice } from '../../targets/transport/abort.ts';

/** The zero of a segment's clock: a reading of the machine's monotonic clock, which all threads of a process share. */
export interface ClockOrigin {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** Where durations and marks come from. Nobody else tells the time; it is handed to what needs it. */
export interface Clock {
  readonly origin: ClockOrigin;
  /** Wall-clock ISO time of the zero. */
  readonly originAt: string;
  /** Milliseconds since the zero, monotonic, with the resolution of the machine's clock (nanoseconds on Linux). */
  readonly now: () => number;
  /** The wall-clock ISO time of a reading of `now`. */
  readonly wallTime: (atMs: number) => string;
}

/** A clock whose zero is this moment. */
export function startClock(): Clock {
  const [seconds, nanoseconds] = process.hrtime();
  const wallOriginMs = Date.now();
  const origin = { seconds, nanoseconds };
  return {
    origin,
    originAt: new Date(wallOriginMs).toISOString(),
    now: readClock(origin),
    wallTime: (atMs) => new Date(wallOriginMs + atMs).toISOString(),
  };
}

/** Reads another thread's clock: same origin, same milliseconds. */
export function readClock({ seconds, nanoseconds }: ClockOrigin): () => number {
  return () => {
    const [nowSeconds, nowNanoseconds] = process.hrtime();
    return (nowSeconds - seconds) * 1e3 + (nowNanoseconds - nanoseconds) / 1e6;
  };
}

/** The longest a timer can run, about 24 days; a longer one would end at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Milliseconds since 1970 by the machine's wall clock: for what is signed, never for what is measured. */
export function wallMs(): number {
  return Date.now();
}

/**
 * Resolves once `ms` have gone by and not before, in a later turn of the event loop; at once when `signal` is aborted.
 * Never rejects.
 */
export function sleep(ms: number, signal: AbortNotice): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const untilMs = performance.now() + ms;
    // A timer cuts fractions off, and may fire up to a millisecond early: what is left is slept too.
    const wait = (leftMs: number) => setTimeout(look, Math.min(Math.ceil(Math.max(0, leftMs)), LONGEST_TIMER_MS));
    const look = () => {
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) end();
      else timer = wait(leftMs);
    };
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    let timer = wait(ms);
    signal.addEventListener('abort', end);
  });
}
