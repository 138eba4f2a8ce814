const LOG_2_PI = 1.8378770664093453;

/**
 * The binomial density Gamma(n + 1) / (Gamma(x + 1) Gamma(n - x + 1)) p^x (1 - p)^(n - x) for real 0 <= x <= n, also
 * the kernel of the incomplete beta function. Saddle-point expansion of C. Loader ("Fast and accurate computation of
 * binomial probabilities", 2000): it subtracts no large log-gammas, so its error is about 1e-14 for any `n`.
 */
export function binomialDensity(x: number, n: number, p: number): number {
  const q = 1 - p;
  if (p === 0) return x === 0 ? 1 : 0;
  if (q === 0) return x === n ? 1 : 0;
  if (x === 0) return Math.exp(n * Math.log1p(-p));
  if (x === n) return Math.exp(n * Math.log(p));
  const rest = n - x;
  const exponent =
    stirlingError(n) - stirlingError(x) - stirlingError(rest) - deviance(x, n * p) - deviance(rest, n * q);
  return Math.exp(exponent - 0.5 * (LOG_2_PI + Math.log(x) + Math.log(rest / n)));
}

/**
 * log Gamma(z + 1) - log(sqrt(2 pi z) (z / e)^z), for z > 0. From 15 on by its asymptotic series (DLMF 5.11.1), whose
 * first omitted term is below 3e-16; below 15 by steps up to it.
 */
function stirlingError(z: number): number {
  let error = 0;
  let at = z;
  while (at < 15) {
    error += (at + 0.5) * Math.log1p(1 / at) - 1;
    at += 1;
  }
  const s = 1 / (at * at);
  return error + (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - s / 1188) * s) * s) * s) / at;
}

/** x log(x / m) + m - x for x, m > 0: Loader's deviance term, by a series where the two nearly cancel. */
function deviance(x: number, m: number): number {
  const difference = x - m;
  if (Math.abs(difference) >= 0.1 * (x + m)) return x * Math.log(x / m) - difference;
  const ratio = difference / (x + m);
  let total = difference * ratio;
  let term = 2 * x * ratio;
  for (let j = 3; ; j += 2) {
    term *= ratio * ratio;
    const next = total + term / j;
    if (next === total) return total;
    total = next;
  }
}
