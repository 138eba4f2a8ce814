import { inverseRegularisedBeta } from './distributions.ts';
import { firstWhere } from './first-where.ts';

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

/** The number of events of n that pass or fail a limit on their rate; between the two it is undecided. */
export interface EventLimits {
  /** Null if not even 0 events pass. */
  readonly mostThatPass: number | null;
  /** Null if not even n events fail. */
  readonly fewestThatFail: number | null;
}

/**
 * For a rate of at most `max`: events pass if their upper bound at `level` is at most `max`, and fail if their lower
 * bound is above it. 36 trials, at most 20 %, at 95 %: up to 2 events pass, from 12 they fail. Both null without
 * trials. For a rate of at least `min`, count the opposite with 1 - min.
 */
export function eventLimits(trials: number, max: number, level: number): EventLimits {
  if (!Number.isSafeInteger(trials) || trials < 0) throw new RangeError(`trials must be a whole number, not ${trials}`);
  if (!(max >= 0 && max <= 1)) throw new RangeError(`a limit of a rate lies between 0 and 1, not ${max}`);
  if (trials === 0) return { mostThatPass: null, fewestThatFail: null };
  const beyondPass = firstWhere(0, trials, (events) => clopperPearsonUpper(events, trials, level) > max);
  const failing = firstWhere(0, trials, (events) => clopperPearsonLower(events, trials, level) > max);
  return { mostThatPass: beyondPass === 0 ? null : beyondPass - 1, fewestThatFail: failing > trials ? null : failing };
}
