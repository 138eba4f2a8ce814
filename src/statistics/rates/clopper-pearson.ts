import { inverseRegularisedBeta } from '../distributions/beta.ts';

/** Both ends are within 0 and 1. */
export interface ShareInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * The exact interval of a share (Clopper and Pearson, Biometrika 26, 1934, 404-413), both tails (1 - level) / 2.
 * `events` and `n` may be fractions, as an effective sample size is. Covers at least `level`. Throws unless 0 <= events
 * <= n and n > 0.
 */
export function clopperPearson(events: number, n: number, level: number): ShareInterval {
  const tail = (1 - level) / 2;
  return { low: clopperPearsonLower(events, n, 1 - tail), high: clopperPearsonUpper(events, n, 1 - tail) };
}

/** One-sided upper bound at confidence `level`. Without events, 1 - (1 - level)^(1/n). */
export function clopperPearsonUpper(events: number, n: number, level: number): number {
  check(events, n, level);
  if (events === n) return 1;
  if (events === 0) return -Math.expm1(Math.log(1 - level) / n);
  return inverseRegularisedBeta(level, events + 1, n - events);
}

/** One-sided lower bound at confidence `level`. If all are events, (1 - level)^(1/n). */
export function clopperPearsonLower(events: number, n: number, level: number): number {
  check(events, n, level);
  if (events === 0) return 0;
  if (events === n) return Math.exp(Math.log(1 - level) / n);
  return inverseRegularisedBeta(1 - level, events, n - events + 1);
}

function check(events: number, n: number, level: number): void {
  if (!(n > 0 && events >= 0 && events <= n)) throw new RangeError(`no share of ${events} in ${n}`);
  if (!(level > 0 && level < 1)) throw new RangeError(`a confidence level lies between 0 and 1, not ${level}`);
}
