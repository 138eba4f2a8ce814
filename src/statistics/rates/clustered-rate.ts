import { studentCriticalSquared } from '../distributions/student.ts';
import { sum } from '../samples/mean.ts';
import { clopperPearson, type ShareInterval } from './clopper-pearson.ts';

/** Trials that are alike, as those of one prompt: how many, and how many of them had the event. */
export interface Cluster {
  readonly events: number;
  readonly trials: number;
}

/** A rate over clusters of trials. */
export interface ClusteredRate extends ShareInterval {
  readonly rate: number;
  readonly trials: number;
  readonly clusters: number;
  /** How many independent trials these are worth; the interval stands on it. */
  readonly effectiveTrials: number;
}

/**
 * A rate and its interval when trials come in clusters (E. L. Korn and B. I. Graubard, "Confidence intervals for
 * proportions with small expected number of positive counts estimated from survey data", Survey Methodology 24,
 * 1998, 193-201): Clopper-Pearson on an effective sample size
 *
 *     n* = min(m, r (1 - r) / v * (t(n - 1) / t(k - 1))^2)
 *
 * with n trials, worth m independent ones, in k clusters, r the rate, v its variance between clusters, t(d) Student's two-sided critical
 * value, the second factor their correction for the k - 1 degrees of freedom v stands on. v is the linearised
 * variance of a ratio: v = k / (k - 1) * sum((events_i - r trials_i)^2) / n^2.
 *
 * The ends never lie closer to the middle than those of no event and of nothing but events: else one failure, which shows
 * that clusters may differ little, would lower the upper bound.
 *
 * With no event or nothing but events v says nothing and each cluster counts once: n* = k. One cluster cannot
 * show how clusters differ: its trials count each (n* = m), and the interval speaks of that cluster alone.
 * Null without trials.
 *
 * @param independent m: how many independent trials these are worth, where they depend on those before; all by default
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
  // Without events between, the product is made exact: 1 * n* must be n* itself.
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
