/* Durations on one machine's monotonic clock; no clock is compared with another's. */

export interface BeatTimes {
  /** Between two beats of a worker. */
  readonly everyMs: number;
  /** A worker whose beats are not answered for so long sends nothing more: a run that nobody can stop must end. */
  readonly drainsAfterMs: number;
  /** A worker that is not heard for so long is lost; longer than `drainsAfterMs`, so that it has drained by then. */
  readonly lostAfterMs: number;
}

export const BEATS: BeatTimes = { everyMs: 2000, drainsAfterMs: 20_000, lostAfterMs: 30_000 };

export function isSilent(answeredMs: number, nowMs: number, { drainsAfterMs }: BeatTimes): boolean {
  return nowMs - answeredMs >= drainsAfterMs;
}

export function isLost(heardMs: number, nowMs: number, { lostAfterMs }: BeatTimes): boolean {
  return nowMs - heardMs >= lostAfterMs;
}
