/**
 * Arithmetic mean, in the unit of the values; null of none, `Infinity` when one is.
 * Compensated summation (Neumaier 1974), so that its error does not grow with their number.
 */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return sum(values) / values.length;
}

/** Compensated sum (Neumaier 1974); 0 of none, `Infinity` when one is. */
export function sum(values: readonly number[]): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    // Compensating an infinite total would give Infinity - Infinity.
    if (!Number.isFinite(next)) return next;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}
