import { beganMs } from '../../record/codes.ts';
import { sortSample } from '../../statistics/quantile.ts';
import { dependenceIn } from '../dependence.ts';
import { type EffectiveSample, hasWaited, headlineLatency } from '../effective-sample.ts';
import { DURATION_STATISTICS, type DurationStatistic, durationStatistic } from '../measures/order-statistics.ts';
import {
  type Finding,
  gatedFindings,
  gatedQuantiles,
  isWhole,
  type MadeOf,
  type Metric,
  mixesSteps,
  type Subject,
  type TakeReading,
} from '../metric.ts';
import { type Note, noted } from '../note.ts';

interface Duration {
  readonly name: string;
  readonly meaning: string;
  readonly of: (sample: EffectiveSample) => number | null;
  /** `difference` if the duration may be 0, which has no ratio; null for a mere bound, which is not compared. */
  readonly effect: 'ratio' | 'difference' | null;
  /** Whether a time-out without a value counts as longest: true for a wait that begins with the call. */
  readonly outlasts: (sample: EffectiveSample) => boolean;
  readonly needsOpenLoad?: true;
  /** It begins at the start of the last attempt, so that no wait for a rate limit is in it. */
  readonly sinceStart?: true;
  readonly madeOf: Exclude<MadeOf, 'completions'>;
}

const always = () => true;
const never = () => false;

const DURATIONS: readonly Duration[] = [
  {
    name: 'latency.total',
    meaning:
      'From the start of the take, when a slot was free, to the last byte of the media: how long a caller waits for one asset.',
    of: ({ timings }) => timings.totalMs,
    effect: 'ratio',
    outlasts: always,
    madeOf: 'polls',
    sinceStart: true,
  },
  {
    name: 'latency.response',
    meaning:
      'From the due time of the take to the last byte of the media. Open load only; there it is the main latency.',
    of: ({ timings }) => timings.responseMs,
    effect: 'ratio',
    outlasts: ({ sample }) => sample.marks.scheduledMs !== undefined,
    madeOf: 'polls',
    needsOpenLoad: true,
  },
  {
    name: 'latency.generation',
    meaning: 'From the start of the take to the reply that said "done", without the download.',
    of: ({ timings }) => timings.generationMs,
    effect: 'ratio',
    outlasts: always,
    madeOf: 'polls',
    sinceStart: true,
  },
  {
    name: 'latency.generation_low',
    meaning:
      'From the start of the take to the last poll that said "not yet" (polled jobs only). The true time lies between generation_low and generation.',
    of: ({ timings, sample }) => (sample.polls === 0 ? null : timings.generationLowMs),
    effect: null,
    outlasts: ({ sample }) => sample.polls > 0,
    madeOf: 'polls',
    sinceStart: true,
  },
  {
    name: 'latency.submit',
    meaning: 'From the start of the take to its acceptance. If the reply contains the media: to the head of the reply.',
    of: ({ timings }) => timings.submitMs,
    effect: 'ratio',
    outlasts: always,
    madeOf: 'marks',
    sinceStart: true,
  },
  {
    name: 'latency.queue',
    meaning: 'From acceptance to the first sign that the job is running.',
    of: ({ timings }) => timings.queueMs,
    effect: 'difference',
    outlasts: never,
    madeOf: 'polls',
  },
  {
    name: 'latency.run',
    meaning: 'From the first sign that the job is running to the last poll that said "not yet".',
    of: ({ timings }) => timings.runMs,
    effect: 'difference',
    outlasts: never,
    madeOf: 'polls',
  },
  {
    name: 'latency.detect',
    meaning: 'From the last poll that said "not yet" to the reply that said "done": the delay that polling adds.',
    of: ({ timings }) => timings.detectMs,
    effect: 'difference',
    outlasts: never,
    madeOf: 'polls',
  },
  {
    name: 'latency.download',
    meaning: 'From the reply that said "done" to the last byte of the media.',
    of: ({ timings }) => timings.downloadMs,
    effect: 'difference',
    outlasts: never,
    madeOf: 'marks',
  },
  {
    name: 'latency.ttfb',
    meaning: 'From the start of the take to the first byte of the media.',
    of: ({ timings }) => timings.ttfbMs,
    effect: 'ratio',
    outlasts: always,
    madeOf: 'polls',
    sinceStart: true,
  },
  {
    name: 'latency.server',
    meaning: 'The time that the server itself reports; never used instead of a measured one.',
    of: ({ sample }) => sample.reported.serverMs,
    effect: 'ratio',
    outlasts: never,
    madeOf: 'reports',
  },
];

/**
 * Time-outs rank above every value. By prompt only p50, min and max: few takes have no tail. In a sweep by step only,
 * because latencies of different loads are never combined.
 */
export const latencies: readonly Metric[] = DURATIONS.map(durationMetric);

function durationMetric(duration: Duration): Metric {
  return {
    name: duration.name,
    meaning: duration.meaning,
    unit: 'ms',
    better: 'lower',
    whenCached: 'first_takes',
    ...(duration.effect === null ? {} : { takes: [readingOf(duration, duration.effect)] }),
    gate: {
      statistics: gatedQuantiles((take) => readingFrom(take, duration), [50, 90, 95, 99]),
      madeOf: duration.madeOf,
      ...(duration.sinceStart ? { leavesOutWait: hasWaited } : {}),
      ...(duration.needsOpenLoad ? { needs: 'open_load' } : {}),
    },
    measure: (subject) => latencyFindings(subject, duration),
  };
}

export const STAGE = /^stage\.([a-z][a-z0-9_]{0,39})$/;

/** Stages of its work whose time the server reports, by name: as `latency.server`, never measured. */
export function stages(names: readonly string[]): readonly Metric[] {
  return names.map((name) =>
    durationMetric({
      name: `stage.${name}`,
      meaning: `The time of its stage ${name} that the server itself reports.`,
      of: ({ sample }) => sample.reported.stages?.[name] ?? null,
      effect: 'difference',
      outlasts: never,
      madeOf: 'reports',
    }),
  );
}

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
  const isHeadline = duration.name === headlineLatency(subject.plan.load);
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
