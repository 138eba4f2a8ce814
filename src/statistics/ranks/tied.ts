/** Numbers that are equal on paper differ by less in a double, others by more. */
const STEPS = 1_099_511_627_776; // 2^40

/**
 * A difference rounded to 2^-40. Differences that are equal on paper, as 0.3 - 0.2 and 0.1, are so then: the last bit of a subtraction
 * breaks no tie. Sums, and halves of sums, of such numbers are exact.
 */
export function tied(difference: number): number {
  return Math.round(difference * STEPS) / STEPS;
}
