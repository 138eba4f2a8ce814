import { groupBy } from '../../kit/grouping.ts';
import { variantNames } from '../../kit/names.ts';
import {
  count,
  type DurationUnit,
  duration,
  durationUnit,
  listed,
  listedInShort,
  MOST_WHOLE,
  oneOf,
  plural,
  rate,
  rateUnit,
  share,
} from '../../kit/wording.ts';
import { stagesAt } from '../../plan/load-slices.ts';
import { sum } from '../../statistics/mean.ts';
import type { Load, OpenLoad } from '../../suite/load.ts';
import { type EffectiveSample, LATE } from '../effective-sample.ts';
import { dueMs, growingQueue, queued } from '../measures/growing-queue.ts';
import { finite } from '../measures/order-statistics.ts';
import { leftMs } from '../measures/throughput.ts';
import { NOT_KEPT_UP } from '../note.ts';
import { areTooManyLate, sliceOf, TOLERATED_LATE } from '../sample-times.ts';
import { type Evidence, rules, type Warned } from './warning-rule.ts';

/** Latencies of more load than the service, or this machine, can take: they say how long or where it was measured. */
export const OVERLOAD = rules(
  {
    code: 'queue_grows',
    meaning: 'Open load above capacity: the queue grew through the whole load, or a stage of it.',
    find: ({ run: { shards }, plan: { load }, variants, trialsOf }) => {
      if (load.mode !== 'open') return [];
      return variants.flatMap(({ name }) => {
        const slices = groupBy(trialsOf(name), ({ sample }) => sliceOf(sample));
        const grown = [...slices.values()].flatMap((calls) => {
          const step = calls[0].sample.trial.step;
          const stages = step === undefined ? load.stages : stagesAt(step, load);
          return stagesOf(calls, stages).flatMap((stage) => growthIn(stage, stages, shards?.of ?? 1));
        });
        return grown.slice(0, 1).map((growth) => growingQueueOf(name, growth));
      });
    },
  },
  {
    code: 'too_many_late_stamps',
    meaning: 'This machine was late in stamping so many samples that their tails are not fit for use.',
    find: (evidence) => {
      const late = lateVariants(evidence);
      if (late.length === 0) return [];
      const { loopDelay } = evidence.run;
      const ofAll = evidence.variants.length;
      const isVoid = late.filter(({ agree }) => agree !== true).map(({ variant }) => variant);
      const delay = loopDelay === null ? '' : ` (up to ${duration(loopDelay.maxMs)}, p99 ${duration(loopDelay.p99Ms)})`;
      return [
        {
          variants: late.map(({ variant }) => variant),
          ...(isVoid.length === 0 ? {} : { unfit: { of: 'latencies', variants: isVoid, because: NOT_KEPT_UP } }),
          facts: {
            late: late.map(({ late }) => late),
            samples: late.map(({ samples }) => samples),
            agree: late.map(({ agree }) => agree),
          },
          what: `${NOT_KEPT_UP}: ${voidWords(isVoid, ofAll)}`,
          cause: `${lateWords(late, ofAll)}, because this machine was too busy${delay}; the numbers are of this machine as well as of the service${agreementWords(late)}`,
          remedy: quieterWords(evidence.plan.load),
        },
      ];
    },
  },
);

function growingQueueOf(variant: string, growth: StageGrowth): Warned {
  const { stage, offeredPerSecond, donePerSecond, firstMs, lastMs } = growth;
  const per = rateUnit([offeredPerSecond]);
  const [offered, done] = [offeredPerSecond, donePerSecond].map((perSecond) => ratePer(perSecond, per));
  const unit = durationUnit([firstMs, lastMs]);
  const within = stage === null ? 'the whole load' : `stage ${count(stage)} of the load`;
  return {
    variants: [variant],
    unfit: { of: 'latencies', variants: [variant], because: 'the queue grew through the load' },
    facts: { ...growth },
    what: `${variant} does not sustain this load: ${offered} are offered, ${done} are done, and the queue grows during ${within}`,
    cause: `takes arrive faster than the service answers: the median latency.response rises from ${limitedDuration(firstMs, unit)} in the first eighth to ${limitedDuration(lastMs, unit)} in the last; with a longer load it would rise further`,
    remedy: `lower load.rate below ${done} to measure latency; read throughput as the capacity`,
  };
}

/** `8.00/s`, `30.0/min`, within a sentence. */
export function ratePer(perSecond: number, per: 's' | 'min'): string {
  return rate(perSecond, per).replace(' / ', '/');
}

/** Null: above the time limit. */
export function limitedDuration(ms: number | null, unit: DurationUnit): string {
  return ms === null ? 'above the time limit' : duration(ms, unit);
}

interface StageCalls {
  readonly index: number;
  readonly samples: readonly EffectiveSample[];
}

function stagesOf(samples: readonly EffectiveSample[], stages: OpenLoad['stages']): readonly StageCalls[] {
  const first = samples.reduce((least, { sample }) => Math.min(least, dueMs(sample)), Infinity);
  let from = first;
  return stages.map(({ forMs }, index) => {
    const to = from + (forMs ?? Infinity);
    const due = samples.filter(({ sample }) => dueMs(sample) >= from && dueMs(sample) < to);
    from = to;
    return { index, samples: due };
  });
}

/** Median responses of the first and the last eighth, by due time; null: above the time limit. */
type StageGrowth = {
  /** From 1; null where the load has one. */
  readonly stage: number | null;
  readonly offeredPerSecond: number;
  /** Ok outputs while the stage lasted. */
  readonly donePerSecond: number;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
};

/** `parts`: shards that share the arrivals; the samples are those of one. */
function growthIn({ index, samples }: StageCalls, stages: OpenLoad['stages'], parts: number): readonly StageGrowth[] {
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

export interface LateVariant {
  readonly variant: string;
  /** Samples that were stamped late. */
  readonly late: number;
  readonly samples: number;
  /** Whether p50 is the same without late samples; null if that cannot be told. */
  readonly agree: boolean | null;
}

interface LateEvidence extends Pick<Evidence, 'flagged'> {
  readonly variants: readonly { readonly name: string }[];
  readonly trials: readonly { readonly sample: { readonly trial: { readonly variant: string } } }[];
}

/** Their share of late samples is significantly above 5 % (Clopper-Pearson), or flags change their median. */
export function lateVariants({ flagged, variants, trials }: LateEvidence): readonly LateVariant[] {
  const flaggedOf = groupBy(flagged, ({ variant }) => variant);
  const trialsOf = groupBy(trials, ({ sample }) => sample.trial.variant);
  const all = variants
    .map(({ name }) => lateVariant(name, flaggedOf.get(name) ?? [], trialsOf.get(name)?.length ?? 0))
    .filter(({ late }) => late > 0);
  const wholeRun = areTooManyLate({ late: sum(all.map(({ late }) => late)), samples: trials.length });
  return all.filter(
    (summary) =>
      summary.agree === false ||
      areTooManyLate(summary) ||
      (wholeRun && summary.late / summary.samples > TOLERATED_LATE),
  );
}

function lateVariant(variant: string, flagged: Evidence['flagged'], samples: number): LateVariant {
  const late = flagged.filter(({ flags }) => (flags[LATE] ?? 0) > 0);
  const answers = late.map(({ agree }) => agree);
  return {
    variant,
    late: sum(late.map(({ flags }) => flags[LATE] ?? 0)),
    samples,
    agree: answers.includes(false) ? false : answers.includes(null) ? null : true,
  };
}

/** What not to use: tails always, p50 unless it is the same without late takes. */
function voidWords(isVoid: readonly string[], ofVariants: number): string {
  if (isVoid.length === 0) return 'do not rely on p95 and small differences';
  if (isVoid.length === ofVariants) return 'do not use these latencies';
  const who =
    isVoid.length > MOST_WHOLE ? `${count(isVoid.length)} of ${plural(ofVariants, 'variant')}` : listed(isVoid);
  return `do not use the latencies of ${who}`;
}

function lateWords(variants: readonly LateVariant[], ofVariants: number): string {
  const spelled = ({ variant, late, samples }: LateVariant) =>
    `${count(late)} of ${plural(samples, 'take')} of ${variant} (${share(late / samples)})`;
  const [worst] = variants.toSorted((a, b) => b.late / b.samples - a.late / a.samples);
  if (variants.length <= MOST_WHOLE || worst === undefined)
    return `${listed(variants.map(spelled))} were timestamped late`;
  const who = variants.map(({ variant }) => variant);
  return `takes of ${variantNames(who, ofVariants)} were timestamped late, worst ${worst.variant} (${count(worst.late)} of ${count(worst.samples)})`;
}

/** Whether p50 agrees without late takes; omitted if too few takes are left. */
function agreementWords(variants: readonly LateVariant[]): string {
  const agreeing = variants.filter(({ agree }) => agree === true);
  if (agreeing.length === variants.length) return '; p50 is about the same without these takes';
  const parts = [
    ...(variants.some(({ agree }) => agree === false) ? ['p50 differs without these takes'] : []),
    ...(agreeing.length === 0
      ? []
      : [`p50 of ${listedInShort(agreeing.map(({ variant }) => variant))} is about the same`]),
  ];
  return parts.map((part) => `; ${part}`).join('');
}

function quieterWords({ mode, concurrency }: Load): string {
  const load = mode === 'open' ? ['lower load.rate'] : concurrency > 1 ? ['lower load.concurrency'] : [];
  return oneOf(['run nothing else on this machine', ...load, 'use a faster machine']);
}
