/**
 * The median of values that may be infinite either way, as the logarithm of a ratio is where one side timed out. With an even
 * number, the middle of the two in the middle (`middleOf`). Null of none, and where these two are `-Infinity` and `Infinity`.
 * Throws on NaN.
 */
export function extendedMedian(values: readonly number[]): number | null {
  if (values.some(Number.isNaN)) throw new RangeError('a value is NaN');
  const sorted = Float64Array.from(values).sort();
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return lower === undefined || upper === undefined ? null : middleOf(lower, upper);
}

/** Halfway from `lower` to `upper`; infinite where one of them is, null where they are infinite in opposite directions. */
export function middleOf(lower: number, upper: number): number | null {
  if (lower === upper) return lower + 0; // a zero without a sign
  if (lower === -Infinity) return upper === Infinity ? null : -Infinity;
  // Halves first: the difference of two numbers may be too large for a double.
  return upper === Infinity ? Infinity : lower / 2 + upper / 2;
}
