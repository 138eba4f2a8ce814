import type { AbortNotice } from '../targets/wire.ts';

/** The zero of a segment's clock: a reading of the machine's monotonic clock, which all threads share. */
export interface ClockOrigin {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** The only source of time; passed to what needs it. */
export interface Clock {
  readonly origin: ClockOrigin;
  /** Wall-clock ISO time of the zero. */
  readonly originAt: string;
  /** Milliseconds since the zero, monotonic, in the resolution of the machine's clock (nanoseconds on Linux). */
  readonly now: () => number;
  /** Wall-clock ISO time of a reading of `now`. */
  readonly wallTime: (atMs: number) => string;
}

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

export function readClock({ seconds, nanoseconds }: ClockOrigin): () => number {
  return () => {
    const [nowSeconds, nowNanoseconds] = process.hrtime();
    return (nowSeconds - seconds) * 1e3 + (nowNanoseconds - nanoseconds) / 1e6;
  };
}

/** The longest timer of Node, about 24 days; longer ones end at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Milliseconds since 1970 by the wall clock: for signatures and dates of servers, never for measurements. */
export function wallMs(): number {
  return Date.now();
}

/** `2026-11-28`, by the wall clock, in UTC. */
export function utcDay(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Resolves after at least `ms`, in a later turn of the event loop; at once when `signal` is aborted. Never rejects. */
export function sleep(ms: number, signal: AbortNotice): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const untilMs = performance.now() + ms;
    // A timer drops fractions, and may fire up to 1 ms early: sleep the rest too.
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
