import type { Fact } from './fact.ts';
import type { Attempt, Intent, Look, Sample, SegmentEnded, SegmentStarted, VariantAbandoned } from './journal.ts';
import type { Run } from './run.ts';
import type { ScoreLine, VoteLine } from './score.ts';

/** A record read back whole. */
export interface StoredRun {
  readonly run: Run;
  /** `ended` is null if the process was killed. */
  readonly segments: readonly { readonly started: SegmentStarted; readonly ended: SegmentEnded | null }[];
  readonly intents: readonly Intent[];
  readonly attempts: readonly Attempt[];
  readonly abandoned: readonly VariantAbandoned[];
  /** In order, each between two parts of the plan. */
  readonly looks: readonly Look[];
  /** In the order of their ends. */
  readonly samples: readonly Sample[];
  /** How many of `samples` were not journalled: the process ended before the request. */
  readonly unended: number;
  /** Samples of repeated trials, except the last: they cost, and are not analysed. */
  readonly replaced: readonly Sample[];
  readonly facts: readonly Fact[];
  /** In written order; empty if nothing was scored. */
  readonly scores: readonly ScoreLine[];
  /** In written order; empty if no ballot was drawn. */
  readonly votes: readonly VoteLine[];
  /** Unfinished last lines that were dropped. */
  readonly notices: readonly string[];
}
