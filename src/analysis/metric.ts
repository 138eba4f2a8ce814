import type { Unit } from '../kit/value-words.ts';
import type { RunPlan } from '../record/run.ts';
import type { Percent } from '../statistics/quantile.ts';
import type { GateEvent } from '../suite/gate.ts';
import type { Kind } from '../suite/kind.ts';
import { stepsOf } from '../suite/sweep.ts';
import type { Dependence } from './dependence.ts';
import type { EffectiveSample, TimedSample } from './effective-sample.ts';
import type { Note } from './note.ts';
import type { CellLikeness } from './output-summaries.ts';
import type { LevelOfPair } from './pair-levels.ts';
import type { VariantSummary } from './summaries.ts';
import type { Better, MethodCode } from './unit.ts';

export interface Gated {
  /** What `max` and `min` may bound; the first is the default. */
  readonly statistics: readonly GatedStatistic[];
  /** What `none` forbids, counted by the event's first statistic. */
  readonly event?: GateEvent;
  /** `over` names a limit, `at` gives its statistic. Absent if the metric has no limit. */
  readonly over?: { readonly statistic: string; readonly at: (limitMs: number) => string };
  /** Absent if it does not depend on when calls are sent. With variants in flight together it is of no one variant. */
  readonly madeOf?: MadeOf;
  /** Of a take: whether it waited for a rate limit, and the wait is not in it. Absent if every wait is. */
  readonly leavesOutWait?: (take: EffectiveSample) => boolean;
  /** Measured of these kinds only, so rules are about no variant of another. */
  readonly ofKinds?: readonly Kind[];
  /** Measured of prompts with a mask only, so rules are about no others. */
  readonly ofMasks?: true;
  /** Describes everything of a variant, so rules cannot be narrowed to prompts. */
  readonly ofVariant?: true;
  /** Describes the loads of a sweep: the only metric that a rule may ask of one. */
  readonly ofSweep?: true;
  /** How its bounds are written, where that does not follow from its unit. */
  readonly writtenAs?: 'rate';
  /** Describes a variant and the compared one: no rule is about the latter. */
  readonly ofPair?: true;
  /** Required in the plan for a decision. */
  readonly needs?: 'open_load' | 'repeats';
}

/**
 * What a number of times is made of.
 * - `polls`: marks of this machine, one of which waits for a poll.
 * - `marks`: marks of this machine that no poll moves.
 * - `reports`: times that the server itself reports. This machine and its polls do not touch them.
 * - `completions`: how many calls end in a time.
 */
export type MadeOf = 'polls' | 'marks' | 'reports' | 'completions';

/** Whether it is of how long calls take. Then drift of the service is in a difference. */
export function isOfLatencies({ gate }: Pick<Metric, 'gate'>): boolean {
  return 'madeOf' in gate && gate.madeOf !== 'completions';
}

/** Whether late marks and the noise of this machine are in it. */
export function isOfMarks({ gate }: Pick<Metric, 'gate'>): boolean {
  return 'madeOf' in gate && (gate.madeOf === 'polls' || gate.madeOf === 'marks');
}

export interface Ungated {
  readonly never: 'one_call' | 'without_hold';
}

export interface GatedStatistic {
  readonly statistic: string;
  readonly bounded: Bounded;
  /** A limit above 1 can fail: a ratio, not a share. */
  readonly mayExceedOne?: true;
}

export type Bounded =
  /** A quantile of takes: by order statistics. `dependsOn`: what gives the effective number of independent takes. */
  | {
      readonly by: 'takes';
      readonly percent: Percent;
      readonly read: (take: EffectiveSample) => number | null;
      readonly dependsOn: 'latencies' | 'own_values';
    }
  /** Clopper and Pearson. `cells`: more takes make events likelier, so earlier looks would decide something else. */
  | { readonly by: 'events'; readonly among: 'takes' | 'repeats' | 'cells' }
  /** As the finding says: a counted value, or the ends of the interval. `fewest`: units that an interval needs. */
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
  readonly value: number | null;
  readonly n: number;
  /** Of a share: events, trials, and trials that could be events, as independent trials. */
  readonly counted?: { readonly events: number; readonly trials: number; readonly possible: number };
  readonly interval: MeasuredInterval | null;
  /** Of the interval; absent: 95 %. */
  readonly level?: number;
  /** The least and most it can be beside requests of unknown cost; the most is infinite without a known one. */
  readonly possible?: { readonly low: number; readonly high: number };
  readonly method: MethodCode;
  readonly notes: readonly Note[];
}

/** Declared by the metric, so that the comparison of blocks needs no metric's name. */
export type TakeReading = ValueReading | EventReading | PairReading;

export interface ValueReading {
  readonly statistic: string;
  /** Set if it is read from the output alone: then load, flags of times, order and noise floor do not matter. */
  readonly outputUnits?: 'cells' | undefined;
  /** Without it: signed ranks. The mean is for values with few steps, where ranks do not keep their error rate. */
  readonly centre?: MeanCentre | undefined;
  /** `ratio`: candidate / baseline, values from 0; `difference`: candidate - baseline, in the metric's unit. */
  readonly effect: 'ratio' | 'difference';
  /** Null if the take does not count; `Infinity` if it timed out, longer than every other. */
  readonly read: (take: EffectiveSample) => number | null;
  /** False if the prompt of the take has no such value: then its block does not count. */
  readonly applies?: (take: EffectiveSample) => boolean;
}

export interface MeanCentre {
  readonly by: 'mean';
  /** The smallest and largest possible value; null if unknown. */
  readonly range: readonly [number, number] | null;
}

export interface EventReading {
  readonly statistic: string;
  readonly effect: 'rate';
  readonly outputUnits?: undefined;
  readonly centre?: undefined;
  readonly applies?: undefined;
  readonly read: (take: EffectiveSample) => boolean | null;
}

/** A reading of the outputs of two variants together. */
export interface PairReading {
  readonly statistic: string;
  readonly effect: 'rate';
  readonly outputUnits: 'cells';
  readonly centre?: undefined;
  /** True for the worse take; both false: neither. Null if asked but not answered; undefined if not asked: not counted. */
  readonly readPair: (
    candidate: EffectiveSample,
    baseline: EffectiveSample,
  ) => { readonly candidate: boolean; readonly baseline: boolean } | null | undefined;
}

export interface Subject {
  readonly variant: VariantSummary;
  /** Null: all prompts. */
  readonly prompt: string | null;
  /** Concurrency at a step of a sweep; null: all steps, or no sweep. */
  readonly step: number | null;
  readonly samples: readonly TimedSample[];
  /** In sending order; empty within one prompt or step. */
  readonly warmups: readonly EffectiveSample[];
  /** Of the variant, also for a prompt; in a sweep of the step. Null over several steps. */
  readonly dependence: Dependence | null;
  /** Whether its repeats come from a cache, or those of another variant of its kind. */
  readonly cached: 'own' | 'of_kind' | null;
  /** Of its cells to the compared variant's; empty without one, and within one prompt or step. */
  readonly likeness: readonly CellLikeness[];
  readonly levelOf: LevelOfPair;
  readonly samePixels: (a: string, b: string) => boolean | null;
  readonly plan: RunPlan;
  readonly isSharded: boolean;
}

export type WhenCached =
  /** No measures: equal repeats say nothing of the model. */
  | 'untestable'
  /** Only first takes (`timed`), for every variant of the kind, so that they stay comparable. */
  | 'first_takes'
  /** As without a cache, with a note that repeats are counted. */
  | 'with_repeats'
  | 'as_is';

export interface Scale {
  readonly unit: Unit;
  readonly better: Better;
}

/** An adapter in one file, which imports no other metric. `statistics` holds exceptions from its scale. */
export interface Metric extends Scale {
  readonly name: string;
  /** For readers of the report, in a few sentences. */
  readonly meaning: string;
  /** What a table for a paper calls it: hostile text. Absent: its name. */
  readonly label?: string | undefined;
  readonly whenCached: WhenCached;
  /** Statistics with another unit or direction. */
  readonly statistics?: Readonly<Record<string, Partial<Scale>>>;
  /** Readings that compare variants take by take; absent if a single take has no value. */
  readonly takes?: readonly TakeReading[];
  readonly gate: Gated | Ungated;
  /** Why takes decide no rule, whatever their values; absent if never. */
  readonly hindrance?: (takes: readonly EffectiveSample[]) => Hindrance | null;
  /** One finding per statistic; none if the metric does not apply. */
  readonly measure: (subject: Subject) => readonly Finding[];
}

/**
 * - `not_scored`: outputs have no score yet.
 * - `control_failed`: the scorer did not find copies known to be worse.
 * - `too_few_for_control`: too few outputs to test that.
 * - `other_shape`: edits have another shape than their input, so nothing outside a mask is measured.
 */
export type Hindrance = 'not_scored' | 'control_failed' | 'too_few_for_control' | 'other_shape';

/** A latency or throughput over several loads is meaningless. */
export function mixesSteps({ plan: { load }, step }: Pick<Subject, 'plan' | 'step'>): boolean {
  return stepsOf(load) !== null && step === null;
}

export function isWhole({ prompt, step }: Pick<Subject, 'prompt' | 'step'>): boolean {
  return prompt === null && step === null;
}
