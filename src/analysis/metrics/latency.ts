import { beganMs } from '../../record/model/sample.ts';
import { sortSample } from '../../statistics/samples/sorted-sample.ts';
import type { EffectiveSample } from '../analysis.ts';
import { DURATION_STATISTICS, type DurationStatistic, durationStatistic } from '../measures/duration-statistics.ts';
import type { Finding } from '../measures/measure.ts';
import { type Metric, mixesSteps, type Subject } from '../measures/metric.ts';
import { noted } from '../note.ts';
import { headlineLatency } from '../samples/headline.ts';

/** One duration of the timing table, in milliseconds. */
interface Duration {
  readonly name: string;
  readonly meaning: string;
  readonly of: (sample: EffectiveSample) => number | null;
  /**
   * Whether a timed-out trial that has no value counts as longer than every other. So it does in what a caller
   * waits from the start on; of a part in between nothing is known, and it is left out.
   */
  readonly outlasts: (sample: EffectiveSample) => boolean;
}

const always = () => true;
const never = () => false;

const DURATIONS: readonly Duration[] = [
  {
    name: 'total',
    meaning:
      'From the start of the call, when a slot was free, to the last byte of the media: how long a caller waits for one asset.',
    of: ({ timings }) => timings.totalMs,
    outlasts: always,
  },
  {
    name: 'response',
    meaning:
      'From the due time of the call to the last byte of the media. Open load only; there it is the main latency.',
    of: ({ timings }) => timings.responseMs,
    outlasts: ({ sample }) => sample.marks.scheduledMs !== undefined,
  },
  {
    name: 'generation',
    meaning: 'From the start of the call to the reply that said "done", without the download.',
    of: ({ timings }) => timings.generationMs,
    outlasts: always,
  },
  {
    name: 'generation_low',
    meaning:
      'From the start of the call to the last poll that said "not yet" (polled jobs only). The true time lies between generation_low and generation.',
    of: ({ timings, sample }) => (sample.polls === 0 ? null : timings.generationLowMs),
    outlasts: ({ sample }) => sample.polls > 0,
  },
  {
    name: 'submit',
    meaning: 'From the start of the call to its acceptance. If the reply contains the media: to the head of the reply.',
    of: ({ timings }) => timings.submitMs,
    outlasts: always,
  },
  {
    name: 'queue',
    meaning: 'From acceptance to the first sign that the job is running.',
    of: ({ timings }) => timings.queueMs,
    outlasts: never,
  },
  {
    name: 'run',
    meaning: 'From the first sign that the job is running to the last poll that said "not yet".',
    of: ({ timings }) => timings.runMs,
    outlasts: never,
  },
  {
    name: 'detect',
    meaning: 'From the last poll that said "not yet" to the reply that said "done": the delay that polling adds.',
    of: ({ timings }) => timings.detectMs,
    outlasts: never,
  },
  {
    name: 'download',
    meaning: 'From the reply that said "done" to the last byte of the media.',
    of: ({ timings }) => timings.downloadMs,
    outlasts: never,
  },
  {
    name: 'ttfb',
    meaning: 'From the start of the call to the first byte of the media.',
    of: ({ timings }) => timings.ttfbMs,
    outlasts: always,
  },
  {
    name: 'server',
    meaning: 'The time that the server itself reports; never used instead of a measured one.',
    of: ({ sample }) => sample.reported.serverMs,
    outlasts: never,
  },
];

/**
 * latency.*: p50, p90, p95, p99, mean, min and max over the trials that are ok, timed-out ones ranked above every
 * value. A duration that no trial has (queue of a synchronous endpoint, response in closed load) gives no measure; the
 * headline (latency.response under open load, else latency.total) is always given, and of each prompt too: its p50, min
 * and max, since the few takes of one prompt carry no tail. Of a sweep, each step by itself: latencies of different
 * loads are never put together.
 */
export const latencies: readonly Metric[] = DURATIONS.map((duration) => ({
  name: `latency.${duration.name}`,
  meaning: duration.meaning,
  unit: 'ms',
  better: 'lower',
  whenCached: 'first_takes',
  measure: (subject) => latencyFindings(subject, duration),
}));

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
    const found = durationStatistic(sample, statistic, heldMs(timed, subject.variant), subject.dependence);
    return { statistic, n: sample.length, ...found, notes: [...found.notes, ...leftOutNote] };
  });
}

function gather(
  samples: readonly EffectiveSample[],
  { of, outlasts }: Duration,
): { values: number[]; leftOut: number } {
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

/**
 * How long every timed-out trial was waited for at least: the time limit, less where the deadline of its polls ended it
 * or waiting while throttled took of it.
 */
function heldMs(timed: readonly EffectiveSample[], variant: Subject['variant']): number {
  return timed
    .filter(({ outcome }) => outcome === 'timed_out')
    .reduce((least, { sample }) => Math.min(least, sample.endedMs - beganMs(sample)), variant.timeoutMs);
}
