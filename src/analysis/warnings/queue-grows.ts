import { z } from 'zod';
import { milliseconds, part, variantName } from '../../kit/declare.ts';
import { count, durationUnit, rateUnit } from '../../kit/wording.ts';
import { beganMs } from '../../record/codes.ts';
import type { OpenLoad } from '../../suite/load.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import { leftMs } from '../measures/slot-calls.ts';
import { sliceOf } from '../samples/span.ts';
import { growingQueue, type QueuedCall } from './growing-queue.ts';
import type { WarningRule } from './warning.ts';
import { limitedDuration, ratePer } from './warning-numbers.ts';

const shape = part('Open load above capacity: the queue grew through the whole load, or a stage of it.', {
  code: z.literal('queue_grows'),
  unfit: z
    .literal(true)
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
  find: ({ run: { shards }, plan: { load }, variants, trials }) => {
    if (load.mode !== 'open') return [];
    const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
    return variants.flatMap(({ name }) => {
      const slices = groupBy(byVariant.get(name) ?? [], ({ sample }) => sliceOf(sample));
      const grown = [...slices.values()].flatMap((calls) =>
        stagesOf(calls, load).flatMap((stage) => growthIn(stage, load, shards?.of ?? 1)),
      );
      return grown.slice(0, 1).map((growth) => ({ code: 'queue_grows', unfit: true, variant: name, ...growth }));
    });
  },
  words: ({ variant, stage, offeredPerSecond, donePerSecond, firstMs, lastMs }) => {
    const per = rateUnit([offeredPerSecond]);
    const unit = durationUnit([firstMs, lastMs]);
    const within = stage === null ? 'the whole load' : `stage ${count(stage)} of the load`;
    return {
      what: `${variant} does not sustain this load: ${ratePer(offeredPerSecond, per)} are offered, ${ratePer(donePerSecond, per)} are done, and the queue grows during ${within}`,
      cause: `calls arrive faster than the service answers: the median latency.response rises from ${limitedDuration(firstMs, unit)} in the first eighth to ${limitedDuration(lastMs, unit)} in the last; with a longer load it would rise further`,
      remedy: `lower load.rate below ${ratePer(donePerSecond, per)} to measure latency; read throughput as the capacity`,
    };
  },
  examples: [
    {
      code: 'queue_grows',
      unfit: true,
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
