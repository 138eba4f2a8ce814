import { mean } from '../statistics/mean.ts';
import { fewestForQuantile, type Percent, quantile, quantilePosition } from '../statistics/quantile.ts';
import { fewestForInterval, quantileInterval } from '../statistics/quantile-interval.ts';
import { atRank, type SortedSample } from '../statistics/sorted-sample.ts';
import { CONFIDENCE, type Finding, type MeasuredInterval } from './measure.ts';
import { counted, seconds } from './wording.ts';

/** The statistics of durations, in the order they are listed. */
export const DURATION_STATISTICS = ['p50', 'p90', 'p95', 'p99', 'mean', 'min', 'max'] as const;
export type DurationStatistic = (typeof DURATION_STATISTICS)[number];

/** What is found of a sample of durations: null values say in `notes` why. */
export type Found = Pick<Finding, 'value' | 'interval' | 'method' | 'notes'>;

/**
 * A statistic of durations in milliseconds, `Infinity` standing for a trial that timed out.
 *
 * @param timeoutMs how long every timed-out trial was waited for at least
 */
export function durationStatistic(sample: SortedSample, statistic: DurationStatistic, timeoutMs: number): Found {
  switch (statistic) {
    case 'p50':
      return quantileOf(sample, 50, timeoutMs);
    case 'p90':
      return quantileOf(sample, 90, timeoutMs);
    case 'p95':
      return quantileOf(sample, 95, timeoutMs);
    case 'p99':
      return quantileOf(sample, 99, timeoutMs);
    case 'mean':
      return meanOf(sample);
    case 'min':
      return extreme(sample, 1, 'minimum', timeoutMs);
    case 'max':
      return extreme(sample, sample.length, 'maximum', timeoutMs);
  }
}

function quantileOf(sample: SortedSample, percent: Percent, timeoutMs: number): Found {
  const name = percent === 50 ? 'sample median' : 'quantile of Hyndman-Fan type 8';
  const method = `${name}; order statistics, of these prompts`;
  if (sample.length === 0) return { value: null, interval: null, method, notes: [NOTHING] };
  const value = quantile(sample, percent);
  const interval = quantileInterval(sample, percent, CONFIDENCE);
  const notes: string[] = [];
  if (value === null) notes.push(`no value: n < ${fewestForQuantile(percent)}`);
  if (value === Infinity) notes.push(beyond(sample, quantilePosition(sample.length, percent).rank, timeoutMs));
  if (interval === null) notes.push(`no CI: n < ${fewestForInterval(percent, CONFIDENCE)}`);
  else if (interval.high === Infinity) notes.push(`CI ${openEnd(interval.low)} > ${seconds(timeoutMs)}`);
  return { value: finite(value), interval: finiteEnds(interval), method, notes };
}

const NOTHING = 'no trial delivered';

function extreme(sample: SortedSample, rank: number, method: string, timeoutMs: number): Found {
  if (sample.length === 0) return { value: null, interval: null, method, notes: [NOTHING] };
  const value = atRank(sample, rank);
  const notes = value === Infinity ? [`> ${seconds(timeoutMs)}`] : [];
  return { value: finite(value), interval: null, method, notes };
}

function meanOf(sample: SortedSample): Found {
  const timedOut = sample.filter((value) => value === Infinity).length;
  const value = timedOut === 0 ? mean(sample) : null;
  const why = timedOut === 0 ? NOTHING : `${counted(timedOut, 'trial')} timed out`;
  return { value, interval: null, method: 'arithmetic mean', notes: value === null ? [why] : [] };
}

/** An infinite quantile is above the value it starts from: the time limit, or the last trial that came in time. */
function beyond(sample: SortedSample, rank: number, timeoutMs: number): string {
  const lower = atRank(sample, rank);
  return lower === Infinity ? `> ${seconds(timeoutMs)}` : `> ${seconds(Math.floor(lower))}, next to a time-out`;
}

function openEnd(low: number): string {
  return low === Infinity ? 'both ends' : 'high';
}

function finite(value: number | null): number | null {
  return value === Infinity ? null : value;
}

function finiteEnds(interval: MeasuredInterval | null): MeasuredInterval | null {
  if (interval === null || interval.low === Infinity) return null;
  return { low: interval.low, high: finite(interval.high) };
}
