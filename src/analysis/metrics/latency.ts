import { mean } from '../../statistics/mean.ts';
import { fewestForQuantile, type Percent, quantile, quantilePosition } from '../../statistics/quantile.ts';
import { fewestForInterval, quantileInterval } from '../../statistics/quantile-interval.ts';
import { atRank, type SortedSample, sortSample } from '../../statistics/sorted-sample.ts';
import type { JudgedSample, Measure } from '../analysis.ts';
import { CONFIDENCE, type Finding, type MeasuredInterval, measureOf } from '../measure.ts';
import type { Metric, Subject } from '../metric.ts';
import { counted, seconds } from '../wording.ts';

/** One duration of the timing table, in milliseconds. */
interface Duration {
  readonly name: string;
  readonly of: (sample: JudgedSample) => number | null;
  /**
   * Whether a timed-out trial that has no value counts as longer than every other. So it does in what a caller
   * waits from the start on; of a part in between nothing is known, and it is left out.
   */
  readonly outlasts: (sample: JudgedSample) => boolean;
}

const always = () => true;
const never = () => false;

const DURATIONS: readonly Duration[] = [
  { name: 'total', of: ({ phases }) => phases.totalMs, outlasts: always },
  {
    name: 'response',
    of: ({ phases }) => phases.responseMs,
    outlasts: ({ sample }) => sample.marks.scheduledMs !== undefined,
  },
  { name: 'generation', of: ({ phases }) => phases.generationMs, outlasts: always },
  { name: 'submit', of: ({ phases }) => phases.submitMs, outlasts: always },
  { name: 'queue', of: ({ phases }) => phases.queueMs, outlasts: never },
  { name: 'run', of: ({ phases }) => phases.runMs, outlasts: never },
  { name: 'detect', of: ({ phases }) => phases.detectMs, outlasts: never },
  { name: 'download', of: ({ phases }) => phases.downloadMs, outlasts: never },
  { name: 'ttfb', of: ({ phases }) => phases.ttfbMs, outlasts: always },
  { name: 'server', of: ({ sample }) => sample.reported.serverMs, outlasts: never },
];

/**
 * latency.*: p50, p90, p95, p99, mean, min and max over the trials that are ok, timed-out ones ranked above every
 * value. A duration that no trial has (queue of a synchronous endpoint, response in closed load) gives no measure;
 * latency.total is always given. Of each prompt: latency.total's p50, min and max, since the few takes of one
 * prompt carry no tail.
 */
export const latencies: readonly Metric[] = DURATIONS.map((duration) => ({
  name: `latency.${duration.name}`,
  measure: (subject) => latencyMeasures(subject, duration),
}));

const STATISTICS = ['p50', 'p90', 'p95', 'p99', 'mean', 'min', 'max'] as const;
type Statistic = (typeof STATISTICS)[number];
const OF_A_PROMPT: readonly Statistic[] = ['p50', 'min', 'max'];

function latencyMeasures(subject: Subject, duration: Duration): Measure[] {
  const isTotal = duration.name === 'total';
  if (subject.prompt !== null && !isTotal) return [];
  const { values, leftOut } = gather(subject.samples, duration);
  if (values.length === 0 && !isTotal) return [];
  const sample = sortSample(values);
  const leftOutNote = leftOut === 0 ? [] : [`${leftOut} timed out, left out`];
  return (subject.prompt === null ? STATISTICS : OF_A_PROMPT).map((statistic) => {
    const found = statisticOf(sample, statistic, heldMs(subject));
    return measureOf(subject, {
      metric: `latency.${duration.name}`,
      statistic,
      unit: 'ms',
      better: 'lower',
      n: sample.length,
      ...found,
      notes: [...found.notes, ...leftOutNote],
    });
  });
}

function gather(samples: readonly JudgedSample[], { of, outlasts }: Duration): { values: number[]; leftOut: number } {
  const values: number[] = [];
  let leftOut = 0;
  for (const sample of samples) {
    if (sample.outcome !== 'ok' && sample.outcome !== 'timed_out') continue;
    const value = of(sample);
    if (value !== null) values.push(value);
    else if (sample.outcome === 'timed_out') {
      if (outlasts(sample)) values.push(Infinity);
      else leftOut += 1;
    }
  }
  return { values, leftOut };
}

/** How long every timed-out trial was waited for at least: the time limit, less where waiting while throttled took of it. */
function heldMs({ samples, variant }: Subject): number {
  return samples
    .filter(({ outcome, sample }) => outcome === 'timed_out' && sample.throttleWaitMs > 0)
    .reduce((least, { sample }) => Math.min(least, sample.endedMs - sample.marks.startedMs), variant.timeoutMs);
}

type Found = Pick<Finding, 'value' | 'interval' | 'method' | 'notes'>;

function statisticOf(sample: SortedSample, statistic: Statistic, timeoutMs: number): Found {
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
