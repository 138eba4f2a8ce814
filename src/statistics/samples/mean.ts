/**
 * Null without values, `Infinity` if a value is. Compensated (Neumaier 1974): its error does not grow with their
 * number.
 */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return sum(values) / values.length;
}

/** Compensated (Neumaier 1974); `Infinity` if a value is. */
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

/** With n - 1 in the denominator, in the unit of the values; null below 2. */
export function standardDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const centre = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - centre) * (value - centre))) / (values.length - 1));
}
