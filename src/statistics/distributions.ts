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

/**
 * The regularised incomplete beta function I_x(a, b), 0 <= x <= 1; a, b > 0: the share of Beta(a, b) below x. Continued
 * fraction of DLMF 8.17.22 on the side where it converges fast; its factor from the saddle-point density.
 */
export function regularisedBeta(x: number, a: number, b: number): number {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) throw new RangeError(`no incomplete beta of ${x}, ${a}, ${b}`);
  if (x === 0 || x === 1) return x;
  return x < (a + 1) / (a + b + 2) ? lowerTail(x, a, b) : 1 - lowerTail(1 - x, b, a);
}

/**
 * The quantile of Beta(a, b): x with I_x(a, b) = share. 0 <= share <= 1; a, b > 0. Newton's steps within a bracket that
 * is halved when a step leaves it, to the last bits of a double.
 */
export function inverseRegularisedBeta(share: number, a: number, b: number): number {
  if (!(a > 0 && b > 0 && share >= 0 && share <= 1)) throw new RangeError(`no beta quantile of ${share}, ${a}, ${b}`);
  if (share === 0 || share === 1) return share;
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  // A double has 1,074 binary places below 1, and each round without a good Newton step halves the bracket.
  for (let round = 0; round < 1200; round += 1) {
    const excess = regularisedBeta(x, a, b) - share;
    if (excess === 0) return x;
    if (excess < 0) low = x;
    else high = x;
    const newton = x - excess / density(x, a, b);
    const next = newton > low && newton < high ? newton : low + (high - low) / 2;
    if (next === low || next === high || Math.abs(next - x) <= 1e-16 * x) return next;
    x = next;
  }
  return x;
}

function lowerTail(x: number, a: number, b: number): number {
  // x^a (1 - x)^b / (a B(a, b)), where 1 / B(a, b) = a b / (a + b) times the binomial coefficient of (a + b, a).
  const factor = (b / (a + b)) * binomialDensity(a, a + b, x);
  return factor === 0 ? 0 : factor * continuedFraction(x, a, b);
}

function density(x: number, a: number, b: number): number {
  return ((a / x) * (b / (1 - x)) * binomialDensity(a, a + b, x)) / (a + b);
}

/** 1 / (1 + d1 / (1 + d2 / (1 + ...))) of DLMF 8.17.22, by the modified method of Lentz. */
function continuedFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny);
  let value = d;
  // Needs about sqrt(max(a, b)) rounds.
  const rounds = 200 + 20 * Math.sqrt(Math.max(a, b));
  for (let m = 1; m <= rounds; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d, tiny);
    c = nonZero(1 + even / c, tiny);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d, tiny);
    c = nonZero(1 + odd / c, tiny);
    const step = d * c;
    value *= step;
    if (Math.abs(step - 1) <= 2.3e-16) return value;
  }
  throw new RangeError(`the incomplete beta function of ${x}, ${a}, ${b} did not converge`);
}

function nonZero(value: number, tiny: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

/**
 * The square of Student's two-sided critical value: t^2 with P(|T| <= t) = level at `degrees` of freedom, from P(|T| >
 * t) = I_x(degrees / 2, 1 / 2), x = degrees / (degrees + t^2) (DLMF 8.17, Abramowitz and Stegun 26.5.27).
 */
export function studentCriticalSquared(degrees: number, level: number): number {
  // Computed as 1 - x, so that a large number of degrees costs no digits.
  const rest = inverseRegularisedBeta(level, 0.5, degrees / 2);
  return (degrees * rest) / (1 - rest);
}

/** The t with P(T <= t) = level at `degrees` of freedom, 0 < level < 1. */
export function studentQuantile(level: number, degrees: number): number {
  if (!(level > 0 && level < 1)) throw new RangeError(`no quantile of Student's t at ${level}`);
  if (level === 0.5) return 0;
  const size = Math.sqrt(studentCriticalSquared(degrees, Math.abs(2 * level - 1)));
  return level > 0.5 ? size : 0 - size;
}

/** P(T > t) at `degrees` of freedom, by the same formula. */
export function studentUpperTail(t: number, degrees: number): number {
  const beyond = regularisedBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
  return t < 0 ? 1 - beyond : beyond;
}

/** P(X = successes) for X ~ Binomial(trials, probability); 0 outside the support. Whole `trials` >= 0. */
export function binomialPmf(successes: number, trials: number, probability: number): number {
  check(trials, probability);
  if (!Number.isInteger(successes) || successes < 0 || successes > trials) return 0;
  return binomialDensity(successes, trials, probability);
}

/** P(X >= successes) for X ~ Binomial(trials, probability); precise also where it is small. */
export function binomialUpperTail(successes: number, trials: number, probability: number): number {
  check(trials, probability);
  const whole = Math.ceil(successes);
  if (whole <= 0) return 1;
  if (whole > trials) return 0;
  return regularisedBeta(probability, whole, trials - whole + 1);
}

/**
 * Element k is P(X < k), for k = 0 to trials + 1. Costs one density per element, where a tail costs a continued
 * fraction.
 */
export function binomialBelow(trials: number, probability: number): Float64Array {
  check(trials, probability);
  const below = new Float64Array(trials + 2);
  let total = 0;
  for (let k = 0; k <= trials; k += 1) {
    total += binomialDensity(k, trials, probability);
    below[k + 1] = Math.min(total, 1);
  }
  return below;
}

function check(trials: number, probability: number): void {
  if (!Number.isSafeInteger(trials) || trials < 0) throw new RangeError(`trials must be a whole number, not ${trials}`);
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`no probability: ${probability}`);
}

const LOG_2_PI = 1.8378770664093453;

/**
 * The binomial density Gamma(n + 1) / (Gamma(x + 1) Gamma(n - x + 1)) p^x (1 - p)^(n - x) for real 0 <= x <= n, also
 * the kernel of the incomplete beta function. Saddle-point expansion of C. Loader ("Fast and accurate computation of
 * binomial probabilities", 2000): it subtracts no large log-gammas, so its error is about 1e-14 for any `n`.
 */
function binomialDensity(x: number, n: number, p: number): number {
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
