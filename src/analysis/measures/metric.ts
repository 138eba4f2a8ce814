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
  /** One finding for each statistic; none where the metric has nothing to say of the subject. */
  readonly measure: (subject: Subject) => readonly Finding[];
}

/** A latency or throughput over several loads says nothing. */
export function mixesSteps({ plan: { load }, step }: Pick<Subject, 'plan' | 'step'>): boolean {
  return load.mode === 'closed' && load.steps !== null && step === null;
}

export function isWhole({ prompt, step }: Pick<Subject, 'prompt' | 'step'>): boolean {
  return prompt === null && step === null;
}
