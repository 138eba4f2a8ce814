import { dependenceOf } from '../../../src/analysis/dependence.ts';
import type { TimedSample } from '../../../src/analysis/effective-sample.ts';
import type { Metric, Subject } from '../../../src/analysis/metric.ts';
import { latencies } from '../../../src/analysis/metrics/latency.ts';
import { slowRate } from '../../../src/analysis/metrics/rates.ts';
import { indexTakes } from '../../../src/analysis/take-index.ts';
import { boundedValue, shortestLoadMs } from '../../../src/gate/bounds/value.ts';
import { median, sortSample } from '../../../src/statistics/quantile.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import type { OpenLoad } from '../../../src/suite/load.ts';
import { OPEN } from '../../fixtures/plan-input.ts';
import { lawNamed, queueTimes } from '../../fixtures/simulated-service.ts';
import { buildOk, buildStoredRun } from '../../fixtures/stored-run-builder.ts';
import { summaries, takesAlone } from './experiment.ts';
import { seedOf } from './seed.ts';
import { markdownTable, shareOf } from './table.ts';
import { effective } from './timed-takes.ts';

/*
 * Open load on a queue, first in first out, before workers: what the report and the gate say of calls that wait for
 * each other, where exactly 5 % of all calls are slow. Calls of a run begin in a service that has worked for long.
 */

/** A service at a load, and what is true of it there, in mean service times. */
export interface QueueSetting {
  readonly law: string;
  readonly workers: number;
  /** Of what the workers could do. */
  readonly load: number;
  /**
   * The limit that 5 % of calls exceed: from 20 million simulated calls; of one exponential worker ln(20) / (1 - load).
   */
  readonly limit: number;
}

const LIMITS: readonly (readonly [law: string, limits: readonly number[]])[] = [
  ['exponential', [9.986, 6.71, 5.086, 4.923, 4.541]],
  ['constant', [5.113, 3.58, 2.733, 2.64, 2.41]],
  ['lognormal, CV 50 %', [6.389, 4.417, 3.396, 3.281, 3.013]],
];

const LOADS = [
  [1, 0.7],
  [2, 0.76],
  [4, 0.82],
  [8, 0.9],
  [16, 0.94],
] as const;

export const QUEUE_SETTINGS: readonly QueueSetting[] = LIMITS.flatMap(([law, limits]) =>
  LOADS.map(([workers, load], at) => ({ law, workers, load, limit: limits[at] ?? Number.NaN })),
);

const CALLS = [600, 2400] as const;

/** How the runs of a setting ended. */
export interface QueueTally {
  readonly runs: number;
  /** Runs that say at 99 % that at most 5 % of calls are slow, and that p95 is at most the limit. */
  readonly saysShare: number;
  readonly saysQuantile: number;
  /** How many calls count as one, in half of the runs at most. */
  readonly time: number;
  readonly intervals: Readonly<Record<'p50' | 'p95', { readonly printed: number; readonly misses: number }>>;
}

const OPEN_LOAD: OpenLoad = { ...OPEN, concurrency: 1000, stages: [{ ratePerSecond: 1, forMs: null }], warmup: 0 };

/** One-sided, as of a rule that may be wrong in 1 of 100 runs. */
const CONFIDENCE = 0.99;

/** Draws so many runs of so many calls. The same count gives the same tally. */
export function simulateQueue(setting: QueueSetting, calls: number, runs: number): QueueTally {
  const random = createRandom(seedOf(`${setting.law}.${setting.workers}.${calls}`));
  const p50 = median(sortSample(responses(setting, 400_000, random))) ?? Number.NaN;
  const truth = { p50, p95: setting.limit };
  const slow = slowRate([1000 * setting.limit]);
  const latency = latencies.find(({ name }) => name === 'latency.response');
  if (latency === undefined) throw new Error('open load has latencies');
  const subjectFor = subjectOfCalls(calls);
  // As the gate asks before it passes such a rule: a service time is a second.
  const shortestMs = shortestLoadMs({ high: 0.05 }, { overMs: 1000 * setting.limit }, slow, OPEN_LOAD) ?? 0;
  const isLong = (1000 * calls) / (setting.load * setting.workers) >= shortestMs;
  const tally = {
    saysShare: 0,
    saysQuantile: 0,
    intervals: { p50: { printed: 0, misses: 0 }, p95: { printed: 0, misses: 0 } },
  };
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const subject = subjectFor(responses(setting, calls, random));
    times.push(subject.dependence?.time ?? 1);
    if (isLong && upper(slow, slow.takes?.[0]?.statistic ?? '', subject) <= 0.05) tally.saysShare += 1;
    if (isLong && upper(latency, 'p95', subject) <= 1000 * setting.limit) tally.saysQuantile += 1;
    const findings = latency.measure(subject);
    for (const statistic of ['p50', 'p95'] as const) {
      const interval = findings.find((finding) => finding.statistic === statistic)?.interval ?? null;
      if (interval === null) continue;
      tally.intervals[statistic].printed += 1;
      const trueMs = 1000 * truth[statistic];
      if ((interval.low ?? 0) > trueMs || (interval.high ?? Infinity) < trueMs) tally.intervals[statistic].misses += 1;
    }
  }
  return { runs, time: median(sortSample(times)) ?? 1, ...tally };
}

function upper(metric: Metric, statistic: string, subject: Subject): number {
  return boundedValue(metric, { statistic, overMs: null }, subject, CONFIDENCE).range?.high ?? Infinity;
}

/** Calls of a queue that has worked for long: from when each came to when it was done, in mean service times. */
function responses({ law, workers, load }: QueueSetting, calls: number, random: Random): Float64Array {
  const { draw } = lawNamed(law);
  const before = 500 * workers;
  function* arrivals(): Generator<number> {
    let now = 0;
    for (let call = 0; call < before + calls; call += 1) {
      now -= Math.log(1 - random.uniform()) / (load * workers);
      yield now;
    }
  }
  return queueTimes(arrivals(), workers, () => draw(random)).subarray(before);
}

/** A variant's calls under open load, in the order they came, of 12 cells in turn: a second is a mean service time. */
function subjectOfCalls(calls: number): (responses: Float64Array) => Subject {
  const samples = Array.from({ length: calls }, (_, at) => {
    const parts = { trial: { seed: (at % 12) + 1, repeat: 1 + Math.floor(at / 12) }, startedMs: at };
    return effective(buildOk(1, 'image', parts));
  });
  const { run } = buildStoredRun({
    variants: [{ name: 'standard', plannedTrials: calls }],
    load: OPEN_LOAD,
    samples: [],
  });
  const [variant] = summaries(run);
  if (variant === undefined) throw new Error('a run has variants');
  return (took) => {
    const trials = samples.map(
      (sample, at): TimedSample => ({ ...sample, timings: { ...sample.timings, responseMs: 1000 * (took[at] ?? 0) } }),
    );
    const dependences = [{ variant: variant.name, step: null, dependence: dependenceOf(trials, OPEN_LOAD) }];
    return takesAlone(run, indexTakes(trials), dependences).ofTakes(variant, () => true);
  };
}

/** A Markdown table of every setting; shares have their Monte Carlo error (95 %). */
export function queueTable(runs: number): string {
  const rows = QUEUE_SETTINGS.flatMap((setting) =>
    CALLS.map((calls) => ({ ...setting, calls, ...simulateQueue(setting, calls, runs) })),
  );
  const misses =
    (statistic: 'p50' | 'p95') =>
    ({ intervals }: QueueTally) => {
      const { printed, misses } = intervals[statistic];
      return printed === 0 ? '' : shareOf(misses, printed);
    };
  const none =
    (statistic: 'p50' | 'p95') =>
    ({ intervals }: QueueTally) =>
      `${Math.round(100 * (1 - intervals[statistic].printed / runs))} %`;
  return markdownTable(rows, [
    ['service times', ({ law }) => law],
    ['workers, load', ({ workers, load }) => `${workers}, ${load}`],
    ['calls', ({ calls }) => calls],
    ['calls that count as one', ({ time }) => time.toFixed(0)],
    ['says "at most 5 % are slow" (1 %)', ({ saysShare }) => shareOf(saysShare, runs)],
    ['says "p95 is at most that" (1 %)', ({ saysQuantile }) => shareOf(saysQuantile, runs)],
    ['p50: interval misses', misses('p50')],
    ['none', none('p50')],
    ['p95: interval misses', misses('p95')],
    ['none', none('p95')],
  ]);
}
