import { FLEET_DRAINS_MS, FLEET_LOST_MS } from '../record/codes.ts';

/* Durations on one machine's monotonic clock; no clock is compared with another's. */

export interface BeatTimes {
  /** Between two beats of a worker. */
  readonly everyMs: number;
  /** As `FLEET_DRAINS_MS`. */
  readonly drainsAfterMs: number;
  /** As `FLEET_LOST_MS`. */
  readonly lostAfterMs: number;
}

export const BEATS: BeatTimes = { everyMs: 2000, drainsAfterMs: FLEET_DRAINS_MS, lostAfterMs: FLEET_LOST_MS };

export function isSilent(answeredMs: number, nowMs: number, { drainsAfterMs }: BeatTimes): boolean {
  return nowMs - answeredMs >= drainsAfterMs;
}

export function isLost(heardMs: number, nowMs: number, { lostAfterMs }: BeatTimes): boolean {
  return nowMs - heardMs >= lostAfterMs;
}
