import type { Unit } from '../kit/value-words.ts';
import type { RunPlan } from '../record/run.ts';
import type { Percent } from '../statistics/quantile.ts';
import type { GateEvent } from '../suite/gate.ts';
import type { ProbeKind } from '../suite/suite.ts';
import type { EffectiveSample, TimedSample } from './effective-sample.ts';
import type { CellLikeness } from './likeness.ts';
import type { Dependence } from './measures/dependence.ts';
import type { Better } from './measures/unit.ts';
import type { MethodCode } from './method.ts';
import type { Note } from './note.ts';
import type { LevelOfPair } from './pair-levels.ts';
import type { ProbeFindings } from './probe.ts';
import type { VariantSummary } from './summaries.ts';

export interface Gated {
  /** What `max` and `min` may bound; a rule that names no statistic means the first. */
  readonly statistics: readonly GatedStatistic[];
  /** What `none` forbids; the event's first statistic counts them. */
  readonly event?: GateEvent;
  /** `over` names a limit, and `at` gives its statistic. Left out where a limit has no meaning. */
  readonly over?: { readonly statistic: string; readonly at: (limitMs: number) => string };
  /**
   * Left out where it does not matter when calls are sent. Latencies drift with the service, and polls that lie far
   * apart make them. With variants in flight together neither says anything of one variant.
   */
  readonly madeOf?: 'latencies' | 'completions';
  /** It is of all that a variant does, so no rule can be narrowed to prompts. */
  readonly ofVariant?: true;
  /** It is of a variant and the one it is compared with: no rule is about the latter. */
  readonly ofPair?: true;
  /** A plan without it leaves nothing to decide on. */
  readonly needs?: 'open_load' | 'repeats' | ProbeKind;
}

/** It stands on one call, or is an estimate without an interval, or of a sweep. */
export interface Ungated {
  readonly never: 'one_call' | 'no_interval' | 'of_a_sweep';
}

export interface GatedStatistic {
  readonly statistic: string;
  readonly bounded: Bounded;
  /** A ratio without a unit: of any other value a limit above 1 could not fail. */
  readonly mayExceedOne?: true;
}

export type Bounded =
  /**
   * A quantile of what is read from takes: by order statistics. `dependsOn`: what tells how many independent takes
   * these are worth.
   */
  | {
      readonly by: 'takes';
      readonly percent: Percent;
      readonly read: (take: EffectiveSample) => number | null;
      readonly dependsOn: 'latencies' | 'own_values';
    }
  /**
   * The share of events that its finding counts: by Clopper and Pearson. `cells`: more takes of a cell make events in
   * it likelier, so that looks before the last would decide on another number.
   */
  | { readonly by: 'events'; readonly among: 'takes' | 'repeats' | 'cells' }
  /**
   * As its finding says: a value that is counted by itself, an estimate by the ends of its interval. `fewest`: of fewer
   * units it has none.
   */
  | { readonly by: 'finding'; readonly fewest?: { readonly of: 'cells'; readonly n: number } };

export function gatedQuantiles(
  read: (take: EffectiveSample) => number | null,
  percents: readonly Percent[],
  dependsOn: 'latencies' | 'own_values' = 'latencies',
): readonly GatedStatistic[] {
  return percents.map((percent) => ({ statistic: `p${percent}`, bounded: { by: 'takes', percent, read, dependsOn } }));
}

export function gatedFindings(...statistics: readonly string[]): readonly GatedStatistic[] {
  return statistics.map((statistic) => ({ statistic, bounded: { by: 'finding' } }));
}

export interface MeasuredInterval {
  readonly low: number | null;
  readonly high: number | null;
}

export interface Finding {
  readonly statistic: string;
  /** Null where there is none; then `notes` says why. */
  readonly value: number | null;
  readonly n: number;
  /**
   * Of a share of events: how many there were, among how many trials, and how many of these could have been one. In
   * independent trials, where they are worth fewer.
   */
  readonly counted?: { readonly events: number; readonly trials: number; readonly possible: number };
  /** At the level `CONFIDENCE`; null where there is none. */
  readonly interval: MeasuredInterval | null;
  readonly method: MethodCode;
  readonly notes: readonly Note[];
}

/** A metric declares it, so that variants are compared block by block by code that knows no metric by name. */
export type TakeReading = ValueReading | EventReading | PairReading;

export interface ValueReading {
  readonly statistic: string;
  /**
   * Set where it is read from the output alone. Then units do not follow from the load, and no flag of times, order of
   * variants or noise floor says anything of it.
   */
  readonly outputUnits?: 'cells' | undefined;
  /** Left out: by signed ranks. The mean is for values of few steps, where ranks are not what they promise. */
  readonly centre?: MeanCentre | undefined;
  /** `ratio`: candidate / baseline, of values above 0; `difference`: candidate - baseline, in the metric's unit. */
  readonly effect: 'ratio' | 'difference';
  /** Null where the take does not count; `Infinity` where it timed out and so lasted longer than every other. */
  readonly read: (take: EffectiveSample) => number | null;
}

export interface MeanCentre {
  readonly by: 'mean';
  /** The least and the largest value that there can be; null where nobody says. */
  readonly range: readonly [number, number] | null;
}

export interface EventReading {
  readonly statistic: string;
  readonly effect: 'rate';
  readonly outputUnits?: undefined;
  readonly centre?: undefined;
  readonly read: (take: EffectiveSample) => boolean | null;
}

/** What is said of the outputs of two variants together, and of neither alone. */
export interface PairReading {
  readonly statistic: string;
  readonly effect: 'rate';
  readonly outputUnits: 'cells';
  readonly centre?: undefined;
  /**
   * Which of two takes of a block is the worse one: at most one of them. Null where that was asked and not answered;
   * undefined where nobody is asked, so that the block does not count.
   */
  readonly readPair: (
    candidate: EffectiveSample,
    baseline: EffectiveSample,
  ) => { readonly candidate: boolean; readonly baseline: boolean } | null | undefined;
}

export interface Subject {
  readonly variant: VariantSummary;
  /** Null: all prompts. */
  readonly prompt: string | null;
  /** The concurrency at a step of a sweep; null: all steps, or no sweep. */
  readonly step: number | null;
  /** Measured trials in the order they were sent. */
  readonly samples: readonly TimedSample[];
  /** In order; empty within one prompt or step. */
  readonly warmups: readonly EffectiveSample[];
  /** Of a prompt it is that of its variant; of a sweep that of the step. Null over several steps. */
  readonly dependence: Dependence | null;
  readonly probes: ProbeFindings | null;
  /** Of its cells to those of the variant it is compared with; empty without one, and within one prompt or step. */
  readonly likeness: readonly CellLikeness[];
  readonly levelOf: LevelOfPair;
  /** Null where one was not decoded. */
  readonly samePixels: (a: string, b: string) => boolean | null;
  readonly plan: RunPlan;
  /** Shards have no common clock. */
  readonly isSharded: boolean;
}

export type WhenCached =
  /** No measures: that repeats are equal says nothing of the model. */
  | 'untestable'
  /** First takes alone (`timed` of a sample), for every variant of the kind, so that these stay comparable. */
  | 'first_takes'
  /** As without a cache, but a note says that repeats are counted. */
  | 'with_repeats'
  | 'as_is';

export interface Scale {
  readonly unit: Unit;
  readonly better: Better;
}

/**
 * An adapter is one file: it imports this and the statistics it needs, never another metric. Its scale holds for all
 * its statistics but those in `statistics`.
 */
export interface Metric extends Scale {
  readonly name: string;
  /** For readers of the report, in a sentence or a few. */
  readonly meaning: string;
  readonly whenCached: WhenCached;
  /** Statistics with another unit or direction. */
  readonly statistics?: Readonly<Record<string, Partial<Scale>>>;
  /** Variants are compared by these, take by take; left out where measures say nothing of a single take. */
  readonly takes?: readonly TakeReading[];
  readonly gate: Gated | Ungated;
  /** Why takes decide no rule, whatever their values are; left out where there is never such a reason. */
  readonly hindrance?: (takes: readonly EffectiveSample[]) => Hindrance | null;
  /** One finding for each statistic; none where the metric has nothing to say of the subject. */
  readonly measure: (subject: Subject) => readonly Finding[];
}

/**
 * - `not_scored`: outputs have no score yet.
 * - `control_failed`: the scorer did not find copies that are known to be worse.
 * - `too_few_for_control`: there are too few outputs to try that.
 */
export type Hindrance = 'not_scored' | 'control_failed' | 'too_few_for_control';

/** A latency or throughput over several loads says nothing. */
export function mixesSteps({ plan: { load }, step }: Pick<Subject, 'plan' | 'step'>): boolean {
  return load.mode === 'closed' && load.steps !== null && step === null;
}

export function isWhole({ prompt, step }: Pick<Subject, 'prompt' | 'step'>): boolean {
  return prompt === null && step === null;
}
