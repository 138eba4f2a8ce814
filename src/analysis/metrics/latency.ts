import { beganMs } from '../../record/sample.ts';
import { sortSample } from '../../statistics/sorted-sample.ts';
import type { JudgedSample, Measure } from '../analysis.ts';
import { DURATION_STATISTICS, type DurationStatistic, durationStatistic } from '../duration-statistics.ts';
import { headlineLatency } from '../headline.ts';
import { measureOf } from '../measure.ts';
import { type Metric, mixesSteps, type Subject } from '../metric.ts';
import { noted } from '../note.ts';

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
  {
    name: 'generation_low',
    of: ({ phases, sample }) => (sample.polls === 0 ? null : phases.generationLowMs),
    outlasts: ({ sample }) => sample.polls > 0,
  },
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
 * value. A duration that no trial has (queue of a synchronous endpoint, response in closed load) gives no measure; the
 * headline (latency.response under open load, else latency.total) is always given, and of each prompt too: its p50, min
 * and max, since the few takes of one prompt carry no tail. Of a sweep, each step by itself: latencies of different
 * loads are never put together.
 */
export const latencies: readonly Metric[] = DURATIONS.map((duration) => ({
  name: `latency.${duration.name}`,
  measure: (subject) => latencyMeasures(subject, duration),
}));

const OF_A_PROMPT: readonly DurationStatistic[] = ['p50', 'min', 'max'];

function latencyMeasures(subject: Subject, duration: Duration): Measure[] {
  if (mixesSteps(subject)) return [];
  const metric = `latency.${duration.name}`;
  const isHeadline = metric === headlineLatency(subject.plan.load);
  if (subject.prompt !== null && !isHeadline) return [];
  const { values, leftOut } = gather(subject.timed, duration);
  if (values.length === 0 && !isHeadline) return [];
  const sample = sortSample(values);
  const leftOutNote = leftOut === 0 ? [] : [noted('timed_out_left_out', leftOut)];
  return (subject.prompt === null ? DURATION_STATISTICS : OF_A_PROMPT).map((statistic) => {
    const found = durationStatistic(sample, statistic, heldMs(subject), subject.dependence);
    return measureOf(subject, {
      metric,
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

/**
 * How long every timed-out trial was waited for at least: the time limit, less where the deadline of its polls ended it
 * or waiting while throttled took of it.
 */
function heldMs({ timed, variant }: Subject): number {
  return timed
    .filter(({ outcome }) => outcome === 'timed_out')
    .reduce((least, { sample }) => Math.min(least, sample.endedMs - beganMs(sample)), variant.timeoutMs);
}
