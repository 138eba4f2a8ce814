import { inverseRegularisedBeta, studentCriticalSquared } from './distributions.ts';
import { firstWhere } from './first-where.ts';
import { sum } from './mean.ts';

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

export interface Cluster {
  readonly events: number;
  readonly trials: number;
}

export interface ClusteredRate extends ShareInterval {
  readonly rate: number;
  readonly trials: number;
  readonly clusters: number;
  readonly effectiveTrials: number;
}

/**
 * A rate and its interval when trials come in clusters (E. L. Korn and B. I. Graubard, "Confidence intervals for
 * proportions with small expected number of positive counts estimated from survey data", Survey Methodology 24, 1998,
 * 193-201): Clopper-Pearson on an effective sample size
 *
 * n* = min(m, r (1 - r) / v * (t(n - 1) / t(k - 1))^2)
 *
 * with n trials, worth m independent ones, in k clusters; r the rate; v its variance between clusters; t(d) Student's
 * two-sided critical value, which corrects for the k - 1 degrees of freedom of v. v is the linearised variance of a
 * ratio: v = k / (k - 1) * sum((events_i - r trials_i)^2) / n^2.
 *
 * The ends are never closer to the middle than those of no event and of all events: otherwise one failure, which shows
 * that clusters may differ little, would lower the upper bound.
 *
 * With no event or only events v is unknown and each cluster counts once: n* = k. For one cluster n* = m, and the
 * interval holds for that cluster only. Null without trials.
 * @param independent m; all trials by default
 */
export function clusteredRate(
  clusters: readonly Cluster[],
  level: number,
  independent: number = sum(clusters.map((cluster) => cluster.trials)),
): ClusteredRate | null {
  const filled = clusters.filter((cluster) => cluster.trials > 0);
  const trials = sum(filled.map((cluster) => cluster.trials));
  if (trials === 0) return null;
  const events = sum(filled.map((cluster) => cluster.events));
  const rate = events / trials;
  const effectiveTrials = Math.min(independent, effective(filled, events, trials, level));
  return {
    rate,
    trials,
    clusters: filled.length,
    effectiveTrials,
    ...intervalOf(events, trials, filled.length, effectiveTrials, level),
  };
}

function intervalOf(events: number, trials: number, clusters: number, effective: number, level: number): ShareInterval {
  // Computed without rounding where all are events: 1 * n* must be n* itself.
  const own = clopperPearson(events === trials ? effective : (events / trials) * effective, effective, level);
  if (clusters === 1) return own;
  return {
    low: Math.min(own.low, clopperPearson(clusters, clusters, level).low),
    high: Math.max(own.high, clopperPearson(0, clusters, level).high),
  };
}

function effective(clusters: readonly Cluster[], events: number, trials: number, level: number): number {
  const k = clusters.length;
  if (k === 1) return trials;
  if (events === 0 || events === trials) return k;
  const rate = events / trials;
  const squares = sum(clusters.map((cluster) => square(cluster.events - rate * cluster.trials)));
  const variance = ((k / (k - 1)) * squares) / (trials * trials);
  if (variance === 0) return trials;
  const correction = studentCriticalSquared(trials - 1, level) / studentCriticalSquared(k - 1, level);
  return Math.min(trials, ((rate * (1 - rate)) / variance) * correction);
}

function square(x: number): number {
  return x * x;
}
