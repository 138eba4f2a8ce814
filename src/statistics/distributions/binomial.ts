import { regularisedBeta } from './beta.ts';
import { binomialDensity } from './saddle-point.ts';

/** P(X = successes) for X ~ Binomial(trials, probability); 0 outside the support. Whole `trials` >= 0. */
export function binomialPmf(successes: number, trials: number, probability: number): number {
  check(trials, probability);
  if (!Number.isInteger(successes) || successes < 0 || successes > trials) return 0;
  return binomialDensity(successes, trials, probability);
}

/** P(X <= successes) for X ~ Binomial(trials, probability), as the incomplete beta function (DLMF 8.17.5). */
export function binomialCdf(successes: number, trials: number, probability: number): number {
  check(trials, probability);
  const whole = Math.floor(successes);
  if (whole < 0) return 0;
  if (whole >= trials) return 1;
  return regularisedBeta(1 - probability, trials - whole, whole + 1);
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
 * Element k is P(X < k), for k = 0 to trials + 1. Costs one density per element, where `binomialCdf` costs a continued
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
