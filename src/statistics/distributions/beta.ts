import { binomialDensity } from './saddle-point.ts';

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
