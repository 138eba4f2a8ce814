import { beganMs } from '../../record/codes.ts';
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
  sortSample,
} from '../../statistics/quantile.ts';
import { type EffectiveSample, headlineLatency } from '../effective-sample.ts';
import { type Dependence, dependenceIn, worth } from '../measures/dependence.ts';
import type { MethodCode } from '../measures/unit.ts';
import {
  type Finding,
  gatedFindings,
  gatedQuantiles,
  isWhole,
  type MeasuredInterval,
  type Metric,
  mixesSteps,
  type Subject,
  type TakeReading,
} from '../metric.ts';
import { type Note, noted } from '../note.ts';

const DURATION_STATISTICS = ['p50', 'p90', 'p95', 'p99', 'mean', 'min', 'max'] as const;
type DurationStatistic = (typeof DURATION_STATISTICS)[number];

/** A finding on durations; `notes` explain a null value. */
type Found = Pick<Finding, 'value' | 'interval' | 'method' | 'notes'>;

/** `Infinity` is a time-out. `timeoutMs`: the shortest wait of one. `dependence` widens intervals of quantiles. */
function durationStatistic(
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

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function finite(value: number | null): number | null {
  return value === Infinity ? null : value;
}

function finiteEnds(interval: MeasuredInterval | null): MeasuredInterval | null {
  if (interval === null || interval.low === Infinity) return null;
  return { low: interval.low, high: finite(interval.high) };
}

interface Duration {
  readonly name: string;
  readonly meaning: string;
  readonly of: (sample: EffectiveSample) => number | null;
  /** `difference` if the duration may be 0, which has no ratio; null for a mere bound, which is not compared. */
  readonly effect: 'ratio' | 'difference' | null;
  /** Whether a time-out without a value counts as longest: true for a wait that begins with the call. */
  readonly outlasts: (sample: EffectiveSample) => boolean;
  readonly needsOpenLoad?: true;
}

const always = () => true;
const never = () => false;

const DURATIONS: readonly Duration[] = [
  {
    name: 'total',
    meaning:
      'From the start of the take, when a slot was free, to the last byte of the media: how long a caller waits for one asset.',
    of: ({ timings }) => timings.totalMs,
    effect: 'ratio',
    outlasts: always,
  },
  {
    name: 'response',
    meaning:
      'From the due time of the take to the last byte of the media. Open load only; there it is the main latency.',
    of: ({ timings }) => timings.responseMs,
    effect: 'ratio',
    outlasts: ({ sample }) => sample.marks.scheduledMs !== undefined,
    needsOpenLoad: true,
  },
  {
    name: 'generation',
    meaning: 'From the start of the take to the reply that said "done", without the download.',
    of: ({ timings }) => timings.generationMs,
    effect: 'ratio',
    outlasts: always,
  },
  {
    name: 'generation_low',
    meaning:
      'From the start of the take to the last poll that said "not yet" (polled jobs only). The true time lies between generation_low and generation.',
    of: ({ timings, sample }) => (sample.polls === 0 ? null : timings.generationLowMs),
    effect: null,
    outlasts: ({ sample }) => sample.polls > 0,
  },
  {
    name: 'submit',
    meaning: 'From the start of the take to its acceptance. If the reply contains the media: to the head of the reply.',
    of: ({ timings }) => timings.submitMs,
    effect: 'ratio',
    outlasts: always,
  },
  {
    name: 'queue',
    meaning: 'From acceptance to the first sign that the job is running.',
    of: ({ timings }) => timings.queueMs,
    effect: 'difference',
    outlasts: never,
  },
  {
    name: 'run',
    meaning: 'From the first sign that the job is running to the last poll that said "not yet".',
    of: ({ timings }) => timings.runMs,
    effect: 'difference',
    outlasts: never,
  },
  {
    name: 'detect',
    meaning: 'From the last poll that said "not yet" to the reply that said "done": the delay that polling adds.',
    of: ({ timings }) => timings.detectMs,
    effect: 'difference',
    outlasts: never,
  },
  {
    name: 'download',
    meaning: 'From the reply that said "done" to the last byte of the media.',
    of: ({ timings }) => timings.downloadMs,
    effect: 'difference',
    outlasts: never,
  },
  {
    name: 'ttfb',
    meaning: 'From the start of the take to the first byte of the media.',
    of: ({ timings }) => timings.ttfbMs,
    effect: 'ratio',
    outlasts: always,
  },
  {
    name: 'server',
    meaning: 'The time that the server itself reports; never used instead of a measured one.',
    of: ({ sample }) => sample.reported.serverMs,
    effect: 'ratio',
    outlasts: never,
  },
];

/**
 * Time-outs rank above every value. By prompt only p50, min and max: few takes have no tail. In a sweep by step only,
 * because latencies of different loads are never combined.
 */
export const latencies: readonly Metric[] = DURATIONS.map((duration) => ({
  name: `latency.${duration.name}`,
  meaning: duration.meaning,
  unit: 'ms',
  better: 'lower',
  whenCached: 'first_takes',
  ...(duration.effect === null ? {} : { takes: [readingOf(duration, duration.effect)] }),
  gate: {
    statistics: gatedQuantiles((take) => readingFrom(take, duration), [50, 90, 95, 99]),
    madeOf: 'latencies',
    ...(duration.needsOpenLoad ? { needs: 'open_load' } : {}),
  },
  measure: (subject) => latencyFindings(subject, duration),
}));

function readingOf(duration: Duration, effect: 'ratio' | 'difference'): TakeReading {
  return { statistic: 'p50', effect, read: (take) => readingFrom(take, duration) };
}

/** `Infinity` if the take timed out before the duration ended; null if it does not count. */
function readingFrom(take: EffectiveSample, { of, outlasts }: Duration): number | null {
  if (take.outcome !== 'ok' && take.outcome !== 'timed_out') return null;
  return of(take) ?? (take.outcome === 'timed_out' && outlasts(take) ? Infinity : null);
}

const OF_A_PROMPT: readonly DurationStatistic[] = ['p50', 'min', 'max'];

function latencyFindings(subject: Subject, duration: Duration): Finding[] {
  if (mixesSteps(subject)) return [];
  const isHeadline = `latency.${duration.name}` === headlineLatency(subject.plan.load);
  if (subject.prompt !== null && !isHeadline) return [];
  const timed = subject.samples.filter((sample) => sample.timed);
  const { values, leftOut } = gather(timed, duration);
  if (values.length === 0 && !isHeadline) return [];
  const sample = sortSample(values);
  const leftOutNote = leftOut === 0 ? [] : [noted('timed_out_left_out', leftOut)];
  return (subject.prompt === null ? DURATION_STATISTICS : OF_A_PROMPT).map((statistic) => {
    const finding = durationStatistic(sample, statistic, heldMs(timed, subject.variant), subject.dependence);
    return { statistic, n: sample.length, ...finding, notes: [...finding.notes, ...leftOutNote] };
  });
}

function gather(samples: readonly EffectiveSample[], duration: Duration): { values: number[]; leftOut: number } {
  const values = samples.map((sample) => readingFrom(sample, duration));
  return {
    values: values.filter((value) => value !== null),
    leftOut: samples.filter(({ outcome }, at) => outcome === 'timed_out' && values[at] === null).length,
  };
}

/** The shortest wait of a timed-out trial: the time limit, less its polls' deadline or throttling. */
function heldMs(timed: readonly EffectiveSample[], variant: Subject['variant']): number {
  return timed
    .filter(({ outcome }) => outcome === 'timed_out')
    .reduce((least, { sample }) => Math.min(least, sample.endedMs - beganMs(sample)), variant.timeoutMs);
}

/** done - started. One value, so no interval. */
export const latencyCold: Metric = {
  name: 'latency.cold',
  meaning: 'Latency of the first warm-up: how long the first caller waits.',
  unit: 'ms',
  better: 'lower',
  whenCached: 'as_is',
  gate: { never: 'one_call' },
  measure: (subject) => {
    if (!isWhole(subject)) return [];
    const first = subject.warmups[0];
    const value = first?.outcome === 'ok' ? first.timings.totalMs : null;
    return [
      {
        statistic: 'first',
        value,
        n: value === null ? 0 : 1,
        interval: null,
        method: 'first_warmup',
        notes: value === null ? [whyNot(first, subject.variant.timeoutMs)] : [noted('no_interval')],
      },
    ];
  },
};

function whyNot(first: EffectiveSample | undefined, timeoutMs: number): Note {
  if (first === undefined) return noted('no_warmup');
  if (first.outcome !== 'timed_out') return noted(`warmup_${first.outcome}`);
  // The polls may have ended before the time limit.
  const { endedMs, marks } = first.sample;
  return noted('censored_above_ms', Math.round(Math.min(timeoutMs, endedMs - (marks.startedMs ?? endedMs))));
}

const STATISTICS: readonly DurationStatistic[] = ['p50', 'p99', 'max'];

/** started - scheduled under open load, part of latency.response. Dropped or repeated calls have none. */
export const startLag: Metric = {
  name: 'start_lag',
  meaning:
    'From the due time of a take to its start: how late this machine started it. Part of latency.response; unknown for a take that was sent again.',
  unit: 'ms',
  better: 'lower',
  whenCached: 'as_is',
  gate: {
    statistics: [
      ...gatedQuantiles(({ timings }) => timings.startLagMs, [50, 99], 'own_values'),
      ...gatedFindings('max'),
    ],
    needs: 'open_load',
  },
  measure: (subject) => {
    if (!isWhole(subject) || subject.plan.load.mode !== 'open') return [];
    const lags = subject.samples.map(({ timings }) => timings.startLagMs).filter((lag) => lag !== null);
    const sample = sortSample(lags);
    const dependence = dependenceIn(lags);
    return STATISTICS.map((statistic) => {
      const finding = durationStatistic(sample, statistic, subject.variant.timeoutMs, dependence);
      const notes = lags.length === 0 ? [noted('no_trial')] : finding.notes;
      return { statistic, n: lags.length, ...finding, notes };
    });
  },
};
