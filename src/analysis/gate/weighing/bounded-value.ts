import { fewestForBound, quantile, quantileBounds, sortSample } from '../../../statistics/quantile.ts';
import { clopperPearsonLower, clopperPearsonUpper } from '../../../statistics/rate-interval.ts';
import type { GateRule } from '../../../suite/rule.ts';
import { CONFIDENCE } from '../../measures/confidence.ts';
import { dependenceIn, worth } from '../../measures/dependence.ts';
import type { MethodCode } from '../../measures/method.ts';
import type { Bounded, Finding, Metric, Subject } from '../../metric.ts';
import { hasNote } from '../../note.ts';
import { boundedOf, statisticOf } from '../rule-statistic.ts';

/** An unbounded end of the range is infinite. */
export interface BoundedValue {
  readonly value: number | null;
  readonly n: number;
  /** One-sided bounds; null for too few takes. */
  readonly range: { readonly low: number; readonly high: number } | null;
  /** Level of each bound; null for a counted value, which is uncertain only by unknown costs. */
  readonly level: number | null;
  /** Takes that each end of a quantile's range needs; null if there are enough. */
  readonly needs?: { readonly low: number | null; readonly high: number | null };
}

const COUNTED: ReadonlySet<MethodCode> = new Set([
  'count',
  'equal_pairs',
  'done_while_due',
  'spend_per_output',
  'sum',
  'minimum',
  'maximum',
  'over_outputs',
]);

const END_CONFIDENCE = (1 + CONFIDENCE) / 2;

/**
 * The statistic of a rule with one-sided bounds at `confidence`.
 * - Share of events: Clopper and Pearson.
 * - Quantile: order statistics, for the effective number of independent takes.
 * - Other statistic with an interval: its two-sided 95 % ends; a bracket of throughput counts as one.
 * - Counted value, such as spend: its own bound.
 */
export function boundedValue(
  metric: Metric,
  rule: Pick<GateRule, 'statistic' | 'overMs'>,
  subject: Subject,
  confidence: number,
): BoundedValue {
  const statistic = statisticOf(rule, metric);
  const bounded = boundedOf(rule, metric);
  if (bounded?.by === 'takes') return boundedQuantile(metric, bounded, subject, confidence);
  const findings = metric.measure(subject);
  const findingOf = (name: string) => findings.find((candidate) => candidate.statistic === name);
  const finding = findingOf(statistic);
  const nothing: BoundedValue = { value: null, n: 0, range: null, level: confidence };
  if (finding === undefined) return nothing;
  const { value, n, method } = finding;
  if (value === null && method === 'bracket') {
    const [low, high] = [findingOf(`${statistic}_low`)?.value ?? null, findingOf(`${statistic}_high`)?.value ?? null];
    return { value, n, range: low === null || high === null ? null : { low, high }, level: END_CONFIDENCE };
  }
  if (value === null || n === 0) return nothing;
  if (bounded?.by === 'events') {
    if (finding.counted === undefined) throw new Error(`${metric.name} does not count the events of ${statistic}`);
    return { value, n, range: eventBounds(finding.counted, confidence), level: confidence };
  }
  return boundedFinding(finding, value);
}

/** The upper bound counts only trials that could be an event; the lower bound counts all, as the value does. */
function eventBounds(
  { events, trials, possible }: NonNullable<Finding['counted']>,
  confidence: number,
): BoundedValue['range'] {
  if (possible <= 0) return null;
  return {
    low: clopperPearsonLower(events, trials, confidence),
    high: clopperPearsonUpper(events, possible, confidence),
  };
}

function boundedQuantile(
  metric: Metric,
  { read, percent, dependsOn }: Extract<Bounded, { readonly by: 'takes' }>,
  { samples, dependence }: Subject,
  confidence: number,
): BoundedValue {
  const takes = metric.whenCached === 'first_takes' ? samples.filter(({ timed }) => timed) : samples;
  const values = takes.map(read).filter((value) => value !== null);
  const sorted = sortSample(values);
  if (sorted.length === 0) return { value: null, n: 0, range: null, level: confidence };
  const value = quantile(sorted, percent);
  const valueDependence = dependsOn === 'latencies' ? dependence : dependenceIn(values);
  const effective = worth(sorted.length, valueDependence);
  const needsOf = (side: 'low' | 'high') => {
    const needs = fewestForBound(percent, confidence, side);
    return effective < needs ? Math.ceil(needs * (sorted.length / effective)) : null;
  };
  return {
    value: value === Infinity ? null : value,
    n: sorted.length,
    range: quantileBounds(sorted, percent, confidence, effective),
    level: confidence,
    needs: { low: needsOf('low'), high: needsOf('high') },
  };
}

function boundedFinding({ n, interval, method, notes }: Finding, value: number): BoundedValue {
  if (COUNTED.has(method)) {
    // The cost of some requests is unknown.
    const high = hasNote(notes, 'unknown_cost') ? Infinity : value;
    return { value, n, range: { low: value, high }, level: null };
  }
  const range = interval === null ? null : { low: interval.low ?? -Infinity, high: interval.high ?? Infinity };
  return { value, n, range, level: END_CONFIDENCE };
}
