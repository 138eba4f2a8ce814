/** An image with less variance shows nothing: the variance of rounding to a level (a uniform distribution). */
const NOTHING = 1 / 12;

/**
 * Pearson's correlation of two images of one size, -1 to 1: whether light and dark are at the same places, at any
 * contrast. Two images that show nothing have 1; one of them and another image have 0.
 */
export function correlation(a: Float32Array, b: Float32Array): number {
  const meanA = mean(a);
  const meanB = mean(b);
  let squaresA = 0;
  let squaresB = 0;
  let products = 0;
  for (let at = 0; at < a.length; at += 1) {
    const x = (a[at] ?? 0) - meanA;
    const y = (b[at] ?? 0) - meanB;
    squaresA += x * x;
    squaresB += y * y;
    products += x * y;
  }
  const least = NOTHING * a.length;
  if (squaresA < least || squaresB < least) return squaresA < least && squaresB < least ? 1 : 0;
  // Rounding may exceed the range slightly.
  return Math.min(1, Math.max(-1, products / Math.sqrt(squaresA * squaresB)));
}

function mean(values: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += values[at] ?? 0;
  return sum / values.length;
}
