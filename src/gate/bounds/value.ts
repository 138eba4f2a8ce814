import { dependenceIn, worth } from '../../analysis/dependence.ts';
import type { Bounded, Finding, Metric, Subject } from '../../analysis/metric.ts';
import { LIMITS_OF_LOAD } from '../../analysis/sample-times.ts';
import type { MethodCode } from '../../analysis/unit.ts';
import { declaredWords } from '../../kit/value-words.ts';
import { duration } from '../../kit/wording.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Sample } from '../../record/journal.ts';
import { CONFIDENCE, fewestForBound, quantile, quantileBounds, sortSample } from '../../statistics/quantile.ts';
import { clopperPearsonLower, clopperPearsonUpper, eventLimits } from '../../statistics/rate-interval.ts';
import type { Load } from '../../suite/load.ts';
import type { Bound, GateRule } from '../../suite/rule.ts';
import { type AllowedRange, boundedEnds, onlyEnd } from '../allowed-range.ts';
import {
  aboveAll,
  boundedOf,
  gatedStatistic,
  metricOf,
  type PlannedFault,
  statisticOf,
} from '../deciding/rule-statistic.ts';
import {
  type Grounds,
  isUntestable,
  subjectOf,
  type TakesKept,
  takesOfCase,
  UNTESTED,
  undecidedCase,
  type WeighedCase,
  worstPrompts,
} from '../deciding/weighing.ts';
import { countUnits, neverFault, type PlannedBound, type Planning, UNKNOWN } from '../planned-reach.ts';
import type { RuleCase } from '../rule-case.ts';
import type { Decision } from '../verdict.ts';
import type { BoundKind, LookPart } from './bound-kind.ts';

/** An unbounded end of the range is infinite. */
interface BoundedValue {
  readonly value: number | null;
  readonly n: number;
  /** One-sided bounds; null for too few takes. */
  readonly range: { readonly low: number; readonly high: number } | null;
  /** Level of each bound; null for a counted value, whose range is what unknown costs leave open. */
  readonly level: number | null;
  /** Takes that each end of a quantile's range needs; null if there are enough. */
  readonly needs?: { readonly low: number | null; readonly high: number | null };
}

const COUNTED: ReadonlySet<MethodCode> = new Set([
  'count',
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
 * - Other statistic with an interval: its two-sided 95 % ends.
 * - Counted value, such as spend: its own bound. Unknown costs make it a range: from nothing to their most.
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
  const finding = metric.measure(subject).find((candidate) => candidate.statistic === statistic);
  const nothing: BoundedValue = { value: null, n: 0, range: null, level: confidence };
  if (finding === undefined) return nothing;
  const { value, n, method, possible } = finding;
  // What loads show is by their bounds; what nobody knows the cost of, by the most that it can be.
  if (possible !== undefined) return { value, n, range: possible, level: method === 'loads' ? CONFIDENCE : null };
  // Slices too short for throughput.
  if (value === null && method === 'full_slots') return { ...nothing, n };
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

function boundedFinding({ n, interval, method }: Finding, value: number): BoundedValue {
  if (COUNTED.has(method)) return { value, n, range: { low: value, high: value }, level: null };
  const range = interval === null ? null : { low: interval.low ?? -Infinity, high: interval.high ?? Infinity };
  return { value, n, range, level: END_CONFIDENCE };
}

/*
 * `max` and `min`: a value against a bound of its own. A value is decided by its one-sided bounds, below and above; one
 * that is counted, by itself.
 */

export function value(bound: Extract<Bound, { readonly is: 'max' | 'min' }>): BoundKind {
  const allows: AllowedRange =
    bound.is === 'max' ? { low: -Infinity, high: bound.value } : { low: bound.value, high: Infinity };
  return {
    allows,
    comparesVariants: false,
    usesEstimate: false,
    drifts: () => false,
    lookPart: (rule, metrics) => lookPartOf(rule, metricOf(rule, metrics)),
    event: null,
    words: ({ unit }) => {
      const limit = `at ${bound.is === 'max' ? 'most' : 'least'} ${declaredWords(bound.value, unit)}`;
      return { limit, clause: `must be ${limit}` };
    },

    faults: (rule, { metrics }) => {
      const metric = metricOf(rule, metrics);
      // A share is never above 1, so such a rule could not fail.
      const isAbove = boundedEnds(allows).some((end) => allows[end] > 1);
      return metric.unit === '1' && isAbove && gatedStatistic(rule, metric)?.mayExceedOne !== true
        ? [aboveAll(bound.is, metric.name)]
        : [];
    },

    plan: (planning) => planValue(planning, allows),
    weigh: (ruleCase, grounds, kept, alpha) => weighValue(ruleCase, grounds, kept, { allows, alpha }),
  };
}

function planValue(planning: Planning, allows: AllowedRange): PlannedBound {
  const { ruleCase, takes, gate } = planning;
  const { rule, variant } = ruleCase;
  const metric = metricOf(rule, gate.metrics);
  const planned = { units: 'takes', n: takes.length, reach: UNKNOWN } as const;
  const needsMs = shortestLoadMs(allows, rule, metric, gate.load);
  const lastsMs = longestSliceMs(variant.name, gate.plan);
  if (needsMs !== null && lastsMs < needsMs) {
    const cause = `the open load of ${variant.name} lasts ${duration(lastsMs)}, so that the rule can never pass`;
    const remedy = `it needs ${duration(needsMs)}, 10 times the limit: lengthen load.duration, add repeats, or lower the limit`;
    return { ...planned, fault: { code: 'short_load', cause, remedy } };
  }
  const bounded = boundedOf(rule, metric);
  if (bounded?.by === 'takes') return { ...planned, fault: quantileFault(planning, allows, bounded.percent / 100) };
  if (bounded?.by === 'finding') {
    const { fewest } = bounded;
    if (fewest === undefined) return planned;
    const n = countUnits(takes, fewest.of);
    const isBounded = (some: number) => some >= fewest.n;
    const fault = neverFault(planning, fewest.of, n, { passes: isBounded, fails: isBounded });
    return { ...planned, units: fewest.of, n, fault };
  }
  if (bounded?.by !== 'events' || bounded.among === 'repeats') return planned;
  const counted =
    bounded.among === 'takes' ? planned : ({ ...planned, units: 'cells', n: countUnits(takes, 'cells') } as const);
  return { ...counted, ...planRate(planning, allows, counted, lookPartOf(rule, metric)) };
}

function weighValue(
  ruleCase: RuleCase,
  grounds: Grounds,
  kept: TakesKept,
  { allows, alpha }: { readonly allows: AllowedRange; readonly alpha: number },
): WeighedCase {
  const { rule } = ruleCase;
  const metric = metricOf(rule, grounds.metrics);
  if (isUntestable(ruleCase, metric, grounds)) return undecidedCase('not_testable');
  const confidence = lookPartOf(rule, metric) === 'each_look' ? 1 - alpha : CONFIDENCE;
  const valueIn = (someCase: RuleCase) => boundedValue(metric, rule, subjectOf(someCase, grounds, kept), confidence);
  const worst = worstPrompts(ruleCase, grounds, kept, (someCase) => valueIn(someCase).value, allows);
  const weighed = { ...weighBound(valueIn(ruleCase), allows, metric), worst };
  const shortestMs = shortestLoadMs(allows, rule, metric, grounds.load);
  const takes = () => takesOfCase(ruleCase, grounds, kept).map(({ sample }) => sample);
  if (shortestMs === null || lastedMs(takes()) >= shortestMs) return weighed;
  const decide = (p: number | null): Decision => {
    const decision = weighed.decide(p);
    return decision.verdict === 'pass' ? { verdict: 'inconclusive', code: 'short_load' } : decision;
  };
  return { ...weighed, decide };
}

/** Quantiles and shares of takes have bounds at any level. More takes make events of cells likelier. */
function lookPartOf(rule: GateRule, metric: Metric): LookPart {
  const bounded = boundedOf(rule, metric);
  const isLooked = bounded?.by === 'takes' || (bounded?.by === 'events' && bounded.among !== 'cells');
  return isLooked ? 'each_look' : 'whole';
}

/** Each verdict needs a bound on its side: it must be unlikely that all takes are on the other side of the quantile. */
function quantileFault(planning: Planning, allows: AllowedRange, quantile: number): PlannedFault | null {
  const { takes, alpha } = planning;
  const within = boundedEnds(allows).map((end) => (end === 'high' ? quantile : 1 - quantile));
  const isBounded = (share: number, n: number) => Math.exp(n * Math.log(share)) <= alpha;
  return neverFault(planning, 'takes', takes.length, {
    passes: (n) => within.every((share) => isBounded(share, n)),
    fails: (n) => within.some((share) => isBounded(1 - share, n)),
  });
}

/** A least share is a most share of the others, 1 - that. */
function planRate(
  planning: Planning,
  allows: AllowedRange,
  { units, n }: { readonly units: 'takes' | 'cells'; readonly n: number },
  lookPart: LookPart,
): Pick<PlannedBound, 'reach' | 'fault'> {
  const level = lookPart === 'each_look' ? 1 - planning.alpha : CONFIDENCE;
  const [ends, only] = [boundedEnds(allows), onlyEnd(allows)];
  const limitsAt = (end: 'low' | 'high', some: number) =>
    eventLimits(some, end === 'high' ? allows.high : 1 - allows.low, level);
  const fault = neverFault(planning, units, n, {
    passes: (some) => ends.every((end) => limitsAt(end, some).mostThatPass !== null),
    fails: (some) => ends.some((end) => limitsAt(end, some).fewestThatFail !== null),
  });
  if (only === null) return { reach: UNKNOWN, fault };
  const counted = only === 'high' ? 'events' : 'others';
  return { reach: { can: 'count_events', counted, ...limitsAt(only, n) }, fault };
}

function longestSliceMs(variant: string, { slices }: Plan): number {
  const sliceStarts = slices.flatMap(({ trials, pace }) =>
    pace.mode === 'open' && trials.some((trial) => trial.variant === variant) ? [pace.startsMs] : [],
  );
  return Math.max(0, ...sliceStarts.map((startsMs) => (startsMs.at(-1) ?? 0) - (startsMs[0] ?? 0)));
}

function weighBound(bounded: BoundedValue, allows: AllowedRange, { unit }: Metric): WeighedCase {
  const { value: estimate, n, range, level } = bounded;
  const isBracket = estimate === null && range !== null;
  const isExact = level === null && range?.low === range?.high;
  const only = onlyEnd(allows);
  const end = only === null || range === null ? null : range[only];
  return {
    ...UNTESTED,
    decide: () => decideBound(bounded, allows),
    effect: 'value',
    unit,
    estimate,
    ciLow: isBracket ? range.low : null,
    ciHigh: isBracket ? range.high : null,
    upperBound: isExact || end === null || !Number.isFinite(end) ? null : end,
    boundLevel: level,
    n,
    needs: needsOf(bounded, allows),
  };
}

/** How many takes a bound on the value needs at each end that the rule bounds; null if there are enough. */
function needsOf({ needs }: BoundedValue, allows: AllowedRange): number | null {
  const ofEnds = boundedEnds(allows).flatMap((end) => needs?.[end] ?? []);
  return ofEnds.length === 0 ? null : Math.max(...ofEnds);
}

/** Fails if the whole range is beyond the bound, passes if it is within; else undecided. */
export function decideBound(bounded: BoundedValue, allows: AllowedRange): Decision {
  const { value: estimate, n, range, level } = bounded;
  // What nobody knows the cost of is counted by its most.
  if (n === 0 && level !== null) return { verdict: 'inconclusive', code: 'nothing_to_count' };
  if (range === null && estimate === null) return { verdict: 'inconclusive', code: 'too_few_units' };
  if (range === null || (range.low === -Infinity && range.high === Infinity)) {
    return { verdict: 'inconclusive', code: 'no_interval' };
  }
  if (range.low > allows.high || range.high < allows.low) return { verdict: 'fail', code: 'beyond_limit' };
  if (range.low >= allows.low && range.high <= allows.high) return { verdict: 'pass', code: 'within_limit' };
  if (needsOf(bounded, allows) !== null) return { verdict: 'inconclusive', code: 'no_interval' };
  return { verdict: 'inconclusive', code: level === null ? 'unknown_cost' : 'spans_limit' };
}

/**
 * The shortest open load in milliseconds with which a rule on slow calls may pass. In less time all calls may share one
 * quiet period and not show their dependence (`npm run simulate -- dependence`). Null for other rules and under closed
 * load, where a full service slows its callers.
 */
export function shortestLoadMs(
  { high }: Pick<AllowedRange, 'high'>,
  { overMs }: Pick<GateRule, 'overMs'>,
  { unit }: Pick<Metric, 'unit'>,
  { mode }: Pick<Load, 'mode'>,
): number | null {
  if (mode !== 'open' || high === Infinity) return null;
  const limitMs = overMs ?? (unit === 'ms' ? high : null);
  return limitMs === null ? null : LIMITS_OF_LOAD * limitMs;
}

/** Duration of the longest slice of open load in milliseconds, from the first due call to the last. */
function lastedMs(samples: readonly Sample[]): number {
  const ends = new Map<string, { firstMs: number; lastMs: number }>();
  for (const { segment, slice, marks } of samples) {
    const dueMs = marks.scheduledMs;
    if (dueMs === undefined) continue;
    const key = `${segment} ${slice}`;
    const { firstMs, lastMs } = ends.get(key) ?? { firstMs: dueMs, lastMs: dueMs };
    ends.set(key, { firstMs: Math.min(firstMs, dueMs), lastMs: Math.max(lastMs, dueMs) });
  }
  return Math.max(0, ...[...ends.values()].map(({ firstMs, lastMs }) => lastMs - firstMs));
}
