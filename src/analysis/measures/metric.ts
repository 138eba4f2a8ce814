import type { RunPlan } from '../../record/model/run.ts';
import type { VariantSummary } from '../analysis.ts';
import type { LevelOfPair } from '../cells/pair-levels.ts';
import type { EffectiveSample, TimedSample } from '../effective-sample.ts';
import type { ProbeFindings } from '../probes/probe-finding.ts';
import type { Dependence } from './dependence.ts';
import type { Gated, Ungated } from './gated.ts';
import type { Finding } from './measure.ts';
import type { TakeReading } from './take-reading.ts';
import type { Better, Unit } from './unit.ts';

/** What a metric is asked about: one variant, over all prompts, within one, or at one step of a sweep. */
export interface Subject {
  readonly variant: VariantSummary;
  /** Null: over all prompts. */
  readonly prompt: string | null;
  /** Of a sweep, how many were in flight, over all prompts; null: over all steps, and outside a sweep. */
  readonly step: number | null;
  /** The variant's measured trials in that scope, in the order they were sent; warm-ups left out. */
  readonly samples: readonly TimedSample[];
  /** The variant's warm-ups, in order; empty within one prompt or step. */
  readonly warmups: readonly EffectiveSample[];
  /** Whether the variant's takes (of a sweep, the step's) depend on those before; of a prompt, that of its variant. Null over several steps. */
  readonly dependence: Dependence | null;
  /** What the variant's probes found; null where the suite asks for none. */
  readonly probes: ProbeFindings | null;
  /** How equal two outputs of the variant are, by their digests. */
  readonly levelOf: LevelOfPair;
  /** Whether they show the same to the pixel; null where one was not decoded. */
  readonly samePixels: (a: string, b: string) => boolean | null;
  readonly plan: RunPlan;
  /** Whether several machines, without a common clock, sent parts of it. */
  readonly isSharded: boolean;
}

/** What a metric's measures say of a variant whose repeats come from a cache. */
export type WhenCached =
  /** Nothing: that repeats are equal says nothing of the model. */
  | 'untestable'
  /** They are of first takes alone (`timed` of a sample), for every variant of the kind, so that these stay comparable. */
  | 'first_takes'
  /** The same as without a cache, but a note says that repeats are counted. */
  | 'with_repeats'
  /** The same as without a cache. */
  | 'as_is';

/** How a statistic is read. */
export interface Scale {
  readonly unit: Unit;
  readonly better: Better;
}

/**
 * The interface of a metric. An adapter is one file: it imports this and the statistics it needs, never another metric.
 * Its scale holds for all its statistics but those in `statistics`.
 */
export interface Metric extends Scale {
  readonly name: string;
  /** What it means, in a sentence or a few: documentation for readers of the report. */
  readonly meaning: string;
  readonly whenCached: WhenCached;
  /** Statistics that are read in another unit or direction. */
  readonly statistics?: Readonly<Record<string, Partial<Scale>>>;
  /** What two variants are compared by, take by take; absent where its measures say nothing of a single take. */
  readonly takes?: readonly TakeReading[];
  /** What a rule of a gate may ask of it, or why no rule can be decided by it. */
  readonly gate: Gated | Ungated;
  /** One finding for each statistic of the subject; none where the metric has nothing to say of it. */
  readonly measure: (subject: Subject) => readonly Finding[];
}

/** Whether the subject's trials were made under several loads, so that a latency or throughput of all says nothing. */
export function mixesSteps({ plan: { load }, step }: Pick<Subject, 'plan' | 'step'>): boolean {
  return load.mode === 'closed' && load.steps !== null && step === null;
}

/** Whether the subject is everything a variant did: some metrics have only this subject. */
export function isWhole({ prompt, step }: Pick<Subject, 'prompt' | 'step'>): boolean {
  return prompt === null && step === null;
}
