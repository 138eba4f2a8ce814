import type { PairFact } from '../../record/fact.ts';
import type { Run, RunPlan, RunPrompt } from '../../record/run.ts';
import type { Cell, FailureGroup, FlaggedSummary, RunSummary, VariantSummary } from '../analysis.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { DependenceFinding } from '../measures/dependence.ts';
import type { ProbeFindings } from '../probes/probe-finding.ts';
import type { Warning } from '../warning-codes/coded-warning.ts';

export interface Evidence {
  readonly run: RunSummary;
  readonly plan: RunPlan;
  readonly variants: readonly VariantSummary[];
  readonly leftOut: Run['leftOut'];
  /** Variants that are polled and whose target does not say how a job is ended. */
  readonly noCancel: readonly string[];
  readonly prompts: readonly RunPrompt[];
  /** In the order they were sent. */
  readonly trials: readonly EffectiveSample[];
  readonly warmups: readonly EffectiveSample[];
  readonly cells: readonly Cell[];
  readonly uncompared: readonly Extract<PairFact, { readonly compared: false }>[];
  readonly failures: readonly FailureGroup[];
  readonly flagged: readonly FlaggedSummary[];
  readonly probes: readonly ProbeFindings[];
  readonly dependences: readonly DependenceFinding[];
  /** Requests that were sent and have no sample. */
  readonly unanswered: number;
}

/** One kind of warning: none, one, or one for each variant it concerns. */
export type WarningRule = (evidence: Evidence) => readonly Warning[];
