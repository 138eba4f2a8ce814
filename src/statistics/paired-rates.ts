import { binomialUpperTail } from './distributions.ts';

/** Pairs of a candidate's and a baseline's trial; in `candidateOnly` of them only the candidate had the event. */
export interface PairedEvents {
  readonly pairs: number;
  readonly candidateOnly: number;
  readonly baselineOnly: number;
}

/** The score of pairs against a rise, and the most likely probabilities if that rise is true. */
export interface TangoScore {
  readonly z: number;
  /** Probabilities of a pair with the event on one side only; they differ by the rise. */
  readonly candidateOnly: number;
  readonly baselineOnly: number;
}

/**
 * Tango's score of a difference of paired rates (Statistics in Medicine 17, 1998, 891-908):
 *
 * z = (b - c - n d) / sqrt(n (2 q + d (1 - d)))
 *
 * with n pairs, b of them with the event of the candidate only, c of the baseline only, d the rise, and q the maximum
 * likelihood estimate of the probability of c under it: q = (sqrt(B^2 - 4 A C) - B) / (2 A), A = 2 n, B = (2 n - b + c)
 * d - b - c, C = -c d (1 - d). At a rise of 0 this is McNemar's z without continuity correction; if no pair differs it
 * is 0.
 * @param rise as a share, -1 < rise < 1
 */
export function tangoScore(events: PairedEvents, rise: number): TangoScore {
  check(events);
  if (!(rise > -1 && rise < 1)) throw new RangeError(`a rise lies between -1 and 1, not ${rise}`);
  return scoreOf(events, rise);
}

function scoreOf(events: PairedEvents, rise: number): TangoScore {
  if (rise < 0) {
    // Exchanging the sides only changes the sign of z, and avoids cancellation for a rise above 0.
    const { z, candidateOnly, baselineOnly } = scoreOf(mirrored(events), -rise);
    return { z: 0 - z, candidateOnly: baselineOnly, baselineOnly: candidateOnly };
  }
  const { pairs: n, candidateOnly: b, baselineOnly: c } = events;
  const halfB = ((2 * n - b + c) * rise - b - c) / 2;
  const minusC = c * rise * (1 - rise);
  const root = Math.sqrt(halfB * halfB + 2 * n * minusC);
  const q = halfB > 0 ? minusC / (root + halfB) : (root - halfB) / (2 * n);
  const variance = n * (2 * q + rise * (1 - rise));
  const z = variance === 0 ? 0 : (b - c - n * rise) / Math.sqrt(variance);
  return { z, candidateOnly: q + rise, baselineOnly: q };
}

export function mirrored({ pairs, candidateOnly, baselineOnly }: PairedEvents): PairedEvents {
  return { pairs, candidateOnly: baselineOnly, baselineOnly: candidateOnly };
}

export function riseOf({ pairs, candidateOnly, baselineOnly }: PairedEvents): number {
  return (candidateOnly - baselineOnly) / pairs;
}

function check({ pairs, candidateOnly, baselineOnly }: PairedEvents): void {
  const counts = [pairs, candidateOnly, baselineOnly];
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0) || candidateOnly + baselineOnly > pairs) {
    throw new RangeError(`no ${candidateOnly} and ${baselineOnly} among ${pairs} pairs`);
  }
  if (pairs === 0) throw new RangeError('no pairs');
}

/**
 * The exact test of McNemar (Psychometrika 12, 1947, 153-157) on pairs that disagree: `risen` one way, `fallen` the
 * other, equally likely under the null. `greater`: p against more risen than fallen.
 */
export function exactMcNemar(
  risen: number,
  fallen: number,
): { readonly greater: number; readonly less: number; readonly twoSided: number } {
  const discordant = risen + fallen;
  const greater = binomialUpperTail(risen, discordant, 0.5);
  const less = binomialUpperTail(fallen, discordant, 0.5);
  return { greater, less, twoSided: Math.min(1, 2 * Math.min(greater, less)) };
}
