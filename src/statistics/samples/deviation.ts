import { sum } from './mean.ts';

/** With n - 1 in the denominator, in the unit of the values; null below 2. */
export function standardDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const centre = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - centre) * (value - centre))) / (values.length - 1));
}
