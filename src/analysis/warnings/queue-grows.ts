import { z } from 'zod';
import { milliseconds, part, variantName } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { count, durationUnit, rateUnit } from '../../kit/wording.ts';
import { beganMs } from '../../record/codes.ts';
import { median, sortSample } from '../../statistics/quantile.ts';
import type { OpenLoad } from '../../suite/load.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { leftMs } from '../measures/throughput.ts';
import { sliceOf } from '../sample-times.ts';
import { limitedDuration, ratePer, type WarningRule } from './warning.ts';

interface QueuedCall {
  readonly dueMs: number;
  /** From the due time; `Infinity` if it timed out, null if it was dropped or failed. */
  readonly responseMs: number | null;
  readonly leftMs: number | null;
}

interface GrowingQueue {
  readonly firstMs: number;
  readonly lastMs: number;
}

const PARTS = 8;
/** Medians of fewer calls are chance. */
const FEWEST_IN_A_PART = 5;
/** Pairs, of 28, in which the later part waits longer; chance gives 26 once in 800 loads. */
const FEWEST_RISING = 26;
/** As a share of arrivals. */
const MOST_SERVED = 0.93;

/**
 * Whether the queue grew through the whole load: responses rise from part to part of the due times, the last part waits
 * half as long again as the first, and fewer calls leave than arrive. Above capacity each second adds offered over
 * served rate, less one, to responses, so a latency depends on the load's duration. Null if it did not grow, or with
 * too few calls.
 */
export function growingQueue(calls: readonly QueuedCall[]): GrowingQueue | null {
  const byDue = [...calls].sort((a, b) => a.dueMs - b.dueMs);
  const waited = byDue.flatMap(({ responseMs }) => responseMs ?? []);
  const partSize = waited.length / PARTS;
  if (partSize < FEWEST_IN_A_PART) return null;
  const medians = Array.from({ length: PARTS }, (_, part) => {
    const waitedInPart = waited.slice(Math.round(part * partSize), Math.round((part + 1) * partSize));
    return median(sortSample(waitedInPart)) ?? 0;
  });
  const [first = 0] = medians;
  const last = medians.at(-1) ?? 0;
  if (risingPairs(medians) < FEWEST_RISING || last < 1.5 * first || servedShare(byDue) > MOST_SERVED) return null;
  return { firstMs: first, lastMs: last };
}

/** Two parts with only time-outs count as rising: both are beyond what is visible. */
function risingPairs(medians: readonly number[]): number {
  return medians.reduce(
    (count, earlier, at) =>
      count + medians.slice(at + 1).filter((later) => later > earlier || later === Infinity).length,
    0,
  );
}

/** Departures per arrival in the second half. Earlier arrivals count too: long latencies alone do not lower it. */
function servedShare(byDue: readonly QueuedCall[]): number {
  const from = byDue[Math.floor(byDue.length / 2)]?.dueMs ?? 0;
  const to = byDue.at(-1)?.dueMs ?? 0;
  const came = byDue.filter(({ dueMs }) => dueMs > from && dueMs <= to).length;
  const left = byDue.filter(({ leftMs }) => leftMs !== null && leftMs > from && leftMs <= to).length;
  return came === 0 ? 1 : left / came;
}

const shape = part('Open load above capacity: the queue grew through the whole load, or a stage of it.', {
  code: z.literal('queue_grows'),
  unfit: z
    .literal('latencies')
    .describe("Latencies depend on how long the load lasted: no number of milliseconds is the service's."),
  variant: variantName,
  stage: z.int().min(1).nullable().describe('The stage of the load, from 1; null where it has one.'),
  offeredPerSecond: z.number().describe('Requests that were due, per second.'),
  donePerSecond: z.number().describe('Ok outputs while the stage lasted.'),
  firstMs: milliseconds
    .nullable()
    .describe('The median latency.response of the first eighth, by due time; null: above the time limit.'),
  lastMs: milliseconds
    .nullable()
    .describe('The median latency.response of the last eighth; null: above the time limit.'),
});

/** Open load above capacity: latencies then depend on how long the load lasted. */
export const queueGrows: WarningRule<typeof shape> = {
  shape,
  find: ({ run: { shards }, plan: { load }, variants, trialsOf }) => {
    if (load.mode !== 'open') return [];
    return variants.flatMap(({ name }) => {
      const slices = groupBy(trialsOf(name), ({ sample }) => sliceOf(sample));
      const grown = [...slices.values()].flatMap((calls) =>
        stagesOf(calls, load).flatMap((stage) => growthIn(stage, load, shards?.of ?? 1)),
      );
      return grown.slice(0, 1).map((growth) => ({ code: 'queue_grows', unfit: 'latencies', variant: name, ...growth }));
    });
  },
  words: ({ variant, stage, offeredPerSecond, donePerSecond, firstMs, lastMs }) => {
    const per = rateUnit([offeredPerSecond]);
    const unit = durationUnit([firstMs, lastMs]);
    const within = stage === null ? 'the whole load' : `stage ${count(stage)} of the load`;
    return {
      what: `${variant} does not sustain this load: ${ratePer(offeredPerSecond, per)} are offered, ${ratePer(donePerSecond, per)} are done, and the queue grows during ${within}`,
      cause: `takes arrive faster than the service answers: the median latency.response rises from ${limitedDuration(firstMs, unit)} in the first eighth to ${limitedDuration(lastMs, unit)} in the last; with a longer load it would rise further`,
      remedy: `lower load.rate below ${ratePer(donePerSecond, per)} to measure latency; read throughput as the capacity`,
    };
  },
  examples: [
    {
      code: 'queue_grows',
      unfit: 'latencies',
      variant: 'standard',
      stage: 2,
      offeredPerSecond: 8,
      donePerSecond: 4,
      firstMs: 300,
      lastMs: null,
    },
  ],
};

interface StageCalls {
  readonly index: number;
  readonly samples: readonly EffectiveSample[];
}

function stagesOf(samples: readonly EffectiveSample[], { stages }: OpenLoad): readonly StageCalls[] {
  const first = samples.reduce((least, { sample }) => Math.min(least, dueMs(sample)), Infinity);
  let from = first;
  return stages.map(({ forMs }, index) => {
    const to = from + (forMs ?? Infinity);
    const due = samples.filter(({ sample }) => dueMs(sample) >= from && dueMs(sample) < to);
    from = to;
    return { index, samples: due };
  });
}

/** `parts`: shards that share the arrivals; the samples are those of one. */
function growthIn({ index, samples }: StageCalls, { stages }: OpenLoad, parts: number) {
  const grown = growingQueue(samples.map(queued));
  const offered = stages[index]?.ratePerSecond;
  if (grown === null || offered === undefined) return [];
  const due = samples.map(({ sample }) => dueMs(sample));
  const [from, to] = [due.reduce((a, b) => Math.min(a, b)), due.reduce((a, b) => Math.max(a, b))];
  const done = samples.filter(({ sample, outcome }) => outcome === 'ok' && leftMs(sample) <= to).length;
  return [
    {
      stage: stages.length === 1 ? null : index + 1,
      offeredPerSecond: offered / parts,
      donePerSecond: (1000 * done) / (to - from),
      firstMs: finite(grown.firstMs),
      lastMs: finite(grown.lastMs),
    },
  ];
}

function queued({ sample, outcome, timings }: EffectiveSample): QueuedCall {
  const timedOut = outcome === 'timed_out' ? Infinity : null;
  return {
    dueMs: dueMs(sample),
    responseMs: outcome === 'ok' ? timings.responseMs : timedOut,
    leftMs: outcome === 'dropped' ? null : leftMs(sample),
  };
}

function dueMs(sample: EffectiveSample['sample']): number {
  return sample.marks.scheduledMs ?? beganMs(sample);
}

function finite(ms: number): number | null {
  return ms === Infinity ? null : ms;
}
