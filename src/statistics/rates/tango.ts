import { normalCriticalValue, normalUpperTail } from '../distributions/normal.ts';
import type { ShareInterval } from './clopper-pearson.ts';

/** Pairs of two trials, one of the candidate and one of the baseline, and which of them had the event. */
export interface PairedEvents {
  readonly pairs: number;
  readonly candidateOnly: number;
  readonly baselineOnly: number;
}

/** The test of a rise of the rate. */
export interface TangoTest {
  /** Candidate's rate less baseline's. */
  readonly difference: number;
  readonly z: number;
  /** p against a rise of at most `rise`: small where it is larger. */
  readonly greater: number;
  /** p against a rise of at least `rise`: small where it is smaller. */
  readonly less: number;
  readonly twoSided: number;
}

/**
 * Tango's score test of a difference of paired rates (Statistics in Medicine 17, 1998, 891-908):
 *
 *     z = (b - c - n d) / sqrt(n (2 q + d (1 - d)))
 *
 * with n pairs, b of them with the event of the candidate only, c of the baseline only, d the rise that is tested, and q the
 * maximum likelihood estimate of the probability of c under it: q = (sqrt(B^2 - 4 A C) - B) / (2 A), A = 2 n,
 * B = (2 n - b + c) d - b - c, C = -c d (1 - d). z is referred to the normal distribution. At a rise of 0 this is
 * McNemar's z without continuity correction; without any event of one side only it is 0. Null without pairs.
 *
 * @param rise as a share, -1 < rise < 1
 */
export function tangoTest(events: PairedEvents, rise: number): TangoTest | null {
  check(events);
  if (!(rise > -1 && rise < 1)) throw new RangeError(`a rise lies between -1 and 1, not ${rise}`);
  if (events.pairs === 0) return null;
  const z = score(events, rise);
  const [greater, less] = [normalUpperTail(z), normalUpperTail(-z)];
  return { difference: differenceOf(events), z, greater, less, twoSided: Math.min(1, 2 * Math.min(greater, less)) };
}

/** The rises that `tangoTest` does not reject at (1 - level) / 2 either way; level from 0.5 to below 1. Null without pairs. */
export function tangoInterval(events: PairedEvents, level: number): ShareInterval | null {
  const low = tangoLower(events, (1 + level) / 2);
  const high = tangoUpper(events, (1 + level) / 2);
  return low === null || high === null ? null : { low, high };
}

/** One-sided upper bound: the largest rise that `tangoTest` does not reject as `less` at 1 - level. Null without pairs. */
export function tangoUpper(events: PairedEvents, level: number): number | null {
  check(events);
  if (!(level >= 0.5 && level < 1)) throw new RangeError(`a one-sided level lies between 0.5 and 1, not ${level}`);
  if (events.pairs === 0) return null;
  const critical = normalCriticalValue(1 - level);
  // z falls as the rise grows: from 0 at the observed difference to below every bound at 1; where every pair rises the difference is 1 already.
  let low = differenceOf(events);
  let high = 1;
  for (let round = 0; round < 100; round += 1) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (score(events, middle) >= -critical) low = middle;
    else high = middle;
  }
  return low;
}

/** One-sided lower bound: the smallest rise that `tangoTest` does not reject as `greater` at 1 - level. Null without pairs. */
export function tangoLower(events: PairedEvents, level: number): number | null {
  const upper = tangoUpper(mirrored(events), level);
  return upper === null ? null : 0 - upper;
}

function score(events: PairedEvents, rise: number): number {
  // With the sides exchanged only the sign of z changes, and of a rise above 0 nothing below cancels.
  if (rise < 0) return 0 - score(mirrored(events), -rise);
  const { pairs: n, candidateOnly: b, baselineOnly: c } = events;
  const halfB = ((2 * n - b + c) * rise - b - c) / 2;
  const minusC = c * rise * (1 - rise);
  const root = Math.sqrt(halfB * halfB + 2 * n * minusC);
  const q = halfB > 0 ? minusC / (root + halfB) : (root - halfB) / (2 * n);
  const variance = n * (2 * q + rise * (1 - rise));
  return variance === 0 ? 0 : (b - c - n * rise) / Math.sqrt(variance);
}

function mirrored({ pairs, candidateOnly, baselineOnly }: PairedEvents): PairedEvents {
  return { pairs, candidateOnly: baselineOnly, baselineOnly: candidateOnly };
}

function differenceOf({ pairs, candidateOnly, baselineOnly }: PairedEvents): number {
  return (candidateOnly - baselineOnly) / pairs;
}

function check({ pairs, candidateOnly, baselineOnly }: PairedEvents): void {
  const counts = [pairs, candidateOnly, baselineOnly];
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0) || candidateOnly + baselineOnly > pairs) {
    throw new RangeError(`no ${candidateOnly} and ${baselineOnly} among ${pairs} pairs`);
  }
}
