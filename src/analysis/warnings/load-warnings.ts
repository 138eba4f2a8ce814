import { beganMs } from '../../record/codes.ts';
import type { OpenLoad } from '../../suite/format/load.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import { worth } from '../measures/dependence.ts';
import { leftMs } from '../measures/slot-calls.ts';
import { pollGapOf } from '../samples/poll-gap.ts';
import { sliceOf } from '../samples/span.ts';
import type { WarningOf } from '../warning-codes/coded-warning.ts';
import type { WarningRule } from './evidence.ts';
import { growingQueue, type QueuedCall } from './growing-queue.ts';

/**
 * Takes that depend on those before, where it is not chance and makes an interval wider: what cells differ by may
 * outweigh it.
 */
export const dependentTakes: WarningRule = ({ dependences }) =>
  dependences.flatMap(({ variant, step, dependence }) =>
    dependence.significant && dependence.time > 1 && dependence.r !== null
      ? [
          {
            code: 'dependent_takes' as const,
            variant,
            step,
            r: dependence.r,
            n: dependence.n,
            effectiveN: worth(dependence.n, dependence),
          },
        ]
      : [],
  );

/** Open load above capacity: the first thing to know of it, since latencies then speak of how long the load lasted. */
export const queueGrows: WarningRule = ({ run: { shards }, plan: { load }, variants, trials }) => {
  if (load.mode !== 'open') return [];
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name }) => {
    const slices = groupBy(byVariant.get(name) ?? [], ({ sample }) => sliceOf(sample));
    const grown = [...slices.values()].flatMap((own) =>
      stagesOf(own, load).flatMap((stage) => grows(name, stage, load, shards?.of ?? 1)),
    );
    return grown.slice(0, 1);
  });
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
    const own = samples.filter(({ sample }) => dueMs(sample) >= from && dueMs(sample) < to);
    from = to;
    return { index, samples: own };
  });
}

/** @param parts shards that the arrivals were dealt to: the samples are those of one of them */
function grows(
  variant: string,
  { index, samples }: StageCalls,
  { stages }: OpenLoad,
  parts: number,
): WarningOf<'queue_grows'>[] {
  const grown = growingQueue(samples.map(queued));
  const offered = stages[index]?.ratePerSecond;
  if (grown === null || offered === undefined) return [];
  const due = samples.map(({ sample }) => dueMs(sample));
  const [from, to] = [due.reduce((a, b) => Math.min(a, b)), due.reduce((a, b) => Math.max(a, b))];
  const done = samples.filter(({ sample, outcome }) => outcome === 'ok' && leftMs(sample) <= to).length;
  return [
    {
      code: 'queue_grows',
      unfit: true,
      variant,
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

/** The share of a median latency that polls may leave open without a warning. */
const MOST_LEFT_OPEN = 0.1;

/** Polls so far apart that latencies are those of the polls as much as those of the service. */
export const coarsePolls: WarningRule = ({ trials, variants }) => {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return variants.flatMap(({ name, target }): WarningOf<'coarse_polls'>[] => {
    // Each step of a sweep has latencies of its own.
    const loads = groupBy(byVariant.get(name) ?? [], ({ sample }) => sample.trial.step ?? null);
    const coarse = [...loads].flatMap(([step, own]) => {
      const found = pollGapOf(own);
      return found === null || found.gapMs <= MOST_LEFT_OPEN * found.medianMs ? [] : [{ step, ...found }];
    });
    const [worst] = [...coarse].sort((a, b) => b.gapMs / b.medianMs - a.gapMs / a.medianMs);
    return worst === undefined ? [] : [{ code: 'coarse_polls', variant: name, target, ...worst }];
  });
};
