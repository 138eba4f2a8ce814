/**
 * The median of values that may be infinite either way, such as the logarithm of a ratio with a timeout. Null without
 * values, and between `-Infinity` and `Infinity`. Throws on NaN.
 */
export function extendedMedian(values: readonly number[]): number | null {
  if (values.some(Number.isNaN)) throw new RangeError('a value is NaN');
  const sorted = Float64Array.from(values).sort();
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return lower === undefined || upper === undefined ? null : middleOf(lower, upper);
}

/** Null from `-Infinity` to `Infinity`; infinite if one of them is. */
export function middleOf(lower: number, upper: number): number | null {
  if (lower === upper) return lower + 0; // Turns -0 into 0.
  if (lower === -Infinity) return upper === Infinity ? null : -Infinity;
  // Halves first: the difference may be too large for a double.
  return upper === Infinity ? Infinity : lower / 2 + upper / 2;
}
