/** Rounding errors of doubles are smaller than such a step, real differences larger. */
const STEPS = 1_099_511_627_776; // 2^40

/**
 * A difference rounded to 2^-40, so that rounding breaks no tie: 0.3 - 0.2 becomes equal to 0.1. Sums, and halves of
 * sums, of such numbers are exact.
 */
export function tied(difference: number): number {
  return Math.round(difference * STEPS) / STEPS;
}
