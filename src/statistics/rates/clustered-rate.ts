import { studentCriticalSquared } from '../distributions/student.ts';
import { sum } from '../samples/mean.ts';
import { clopperPearson, type ShareInterval } from './clopper-pearson.ts';

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
