import { mean } from '../../statistics/mean.ts';
import {
  atRank,
  CONFIDENCE,
  fewestForInterval,
  fewestForQuantile,
  type Percent,
  quantile,
  quantileInterval,
  quantilePosition,
  type SortedSample,
} from '../../statistics/quantile.ts';
import { type Dependence, worth } from '../dependence.ts';
import type { Finding, MeasuredInterval } from '../metric.ts';
import { type Note, noted } from '../note.ts';
import type { MethodCode } from '../unit.ts';

export const DURATION_STATISTICS = ['p50', 'p90', 'p95', 'p99', 'mean', 'min', 'max'] as const;
export type DurationStatistic = (typeof DURATION_STATISTICS)[number];

/** A finding on durations; `notes` explain a null value. */
type Found = Pick<Finding, 'value' | 'interval' | 'method' | 'notes'>;

/** `Infinity` is a time-out. `timeoutMs`: the shortest wait of one. `dependence` widens intervals of quantiles. */
export function durationStatistic(
  sample: SortedSample,
  statistic: DurationStatistic,
  timeoutMs: number,
  dependence: Dependence | null,
): Found {
  switch (statistic) {
    case 'p50':
      return quantileOf(sample, 50, timeoutMs, dependence);
    case 'p90':
      return quantileOf(sample, 90, timeoutMs, dependence);
    case 'p95':
      return quantileOf(sample, 95, timeoutMs, dependence);
    case 'p99':
      return quantileOf(sample, 99, timeoutMs, dependence);
    case 'mean':
      return meanOf(sample);
    case 'min':
      return extreme(sample, 1, 'minimum', timeoutMs);
    case 'max':
      return extreme(sample, sample.length, 'maximum', timeoutMs);
  }
}

function quantileOf(sample: SortedSample, percent: Percent, timeoutMs: number, dependence: Dependence | null): Found {
  const method = 'order_statistics';
  if (sample.length === 0) return { value: null, interval: null, method, notes: [noted('no_delivered_trial')] };
  const value = quantile(sample, percent);
  const effective = worth(sample.length, dependence);
  const interval = quantileInterval(sample, percent, CONFIDENCE, effective);
  const notes: Note[] = [];
  if (value === null) notes.push(noted('value_needs_n', fewestForQuantile(percent)));
  if (value === Infinity) notes.push(...beyond(sample, quantilePosition(sample.length, percent).rank, timeoutMs));
  if (interval === null) notes.push(noted('needs_n', neededFor(percent, dependence)));
  if (interval?.low === Infinity) notes.push(noted('ci_above_ms', Math.round(timeoutMs)));
  else if (interval?.high === Infinity) notes.push(noted('ci_high_above_ms', Math.round(timeoutMs)));
  if (effective < sample.length) notes.push(noted('effective_n', tenths(effective)));
  return { value: finite(value), interval: finiteEnds(interval), method, notes };
}

function neededFor(percent: Percent, dependence: Dependence | null): number {
  const independent = fewestForInterval(percent, CONFIDENCE);
  return Math.ceil(independent * (dependence?.time ?? 1));
}

function extreme(sample: SortedSample, rank: number, method: MethodCode, timeoutMs: number): Found {
  if (sample.length === 0) return { value: null, interval: null, method, notes: [noted('no_delivered_trial')] };
  const value = atRank(sample, rank);
  const notes = value === Infinity ? [noted('censored_above_ms', Math.round(timeoutMs))] : [];
  return { value: finite(value), interval: null, method, notes };
}

function meanOf(sample: SortedSample): Found {
  const timedOut = sample.filter((value) => value === Infinity).length;
  const value = timedOut === 0 ? mean(sample) : null;
  const why = timedOut === 0 ? noted('no_delivered_trial') : noted('timed_out', timedOut);
  return { value, interval: null, method: 'mean', notes: value === null ? [why] : [] };
}

/** An infinite quantile is above its lower neighbour: the time limit, or the last trial in time. */
function beyond(sample: SortedSample, rank: number, timeoutMs: number): Note[] {
  const lower = atRank(sample, rank);
  if (lower === Infinity) return [noted('censored_above_ms', Math.round(timeoutMs))];
  return [noted('censored_above_ms', Math.floor(lower)), noted('next_to_time_outs')];
}

export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Null of a time-out. */
export function finite(value: number | null): number | null {
  return value === Infinity ? null : value;
}

function finiteEnds(interval: MeasuredInterval | null): MeasuredInterval | null {
  if (interval === null || interval.low === Infinity) return null;
  return { low: interval.low, high: finite(interval.high) };
}
