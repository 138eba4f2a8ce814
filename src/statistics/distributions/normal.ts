/** Below, the series loses fewer than four digits; above, the fraction converges soon. */
const SERIES_UP_TO = 2.5;

/** From 2.5 on the continued fraction has then converged to the last bit of a double. */
const ROUNDS = 200;

/**
 * P(Z > z) of a standard normal variable, relative error about 1e-13. Near the middle by Marsaglia's series (Journal of
 * Statistical Software 11(4), 2004), 1/2 - phi(z) (z + z³/3 + z⁵/15 + ...); beyond by Laplace's continued fraction
 * (DLMF 7.9.2), phi(z) / (z + 1/(z + 2/(z + ...))).
 */
export function normalUpperTail(z: number): number {
  if (Number.isNaN(z)) throw new RangeError('no normal tail of NaN');
  if (z < -SERIES_UP_TO) return 1 - normalUpperTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > SERIES_UP_TO) {
    let below = z;
    for (let round = ROUNDS; round >= 1; round -= 1) below = z + round / below;
    return density / below;
  }
  let term = z;
  let total = z;
  for (let odd = 3; total + term !== total; odd += 2) {
    term *= (z * z) / odd;
    total += term;
  }
  return 0.5 - density * total;
}

/**
 * The z with P(Z > z) = tail, 0 < tail < 1, relative error about 1e-14. Newton's steps on the logarithm of the tail,
 * which is concave, from the bound P(Z > z) <= exp(-z^2 / 2) / 2.
 */
export function normalCriticalValue(tail: number): number {
  if (!(tail > 0 && tail < 1)) throw new RangeError(`no normal critical value of ${tail}`);
  if (tail > 0.5) return 0 - normalCriticalValue(1 - tail);
  let z = Math.sqrt(-2 * Math.log(2 * tail));
  for (let round = 0; round < 100; round += 1) {
    const reached = normalUpperTail(z);
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    const step = (Math.log(reached / tail) * reached) / density;
    z += step;
    if (Math.abs(step) <= 1e-15 * z) break;
  }
  return z;
}
