import type { RunPlan } from '../record/run.ts';
import type { JudgedSample, Measure, VariantSummary } from './analysis.ts';

/** What a metric is asked about: one variant, over all prompts or within one. */
export interface Subject {
  readonly variant: VariantSummary;
  /** Null: over all prompts. */
  readonly prompt: string | null;
  /** The variant's measured trials in that scope, in the order they were sent; warm-ups left out. */
  readonly samples: readonly JudgedSample[];
  /** The variant's warm-ups, in order; empty within one prompt. */
  readonly warmups: readonly JudgedSample[];
  readonly plan: RunPlan;
}

/** The socket of a metric. An adapter is one file: it imports this and the statistics it needs, never another metric. */
export interface Metric {
  readonly name: string;
  readonly measure: (subject: Subject) => readonly Measure[];
}
