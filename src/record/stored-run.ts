import type { Fact } from './fact.ts';
import type { Attempt, Intent, Look, Sample, SegmentEnded, SegmentStarted, VariantAbandoned } from './journal.ts';
import type { Run } from './run.ts';
import type { ScoreLine, VoteLine } from './score.ts';

/** A record read back whole. */
export interface StoredRun {
  readonly run: Run;
  /** `ended` is null where the process was killed. */
  readonly segments: readonly { readonly started: SegmentStarted; readonly ended: SegmentEnded | null }[];
  readonly intents: readonly Intent[];
  readonly attempts: readonly Attempt[];
  readonly abandoned: readonly VariantAbandoned[];
  /** In their order, each between two parts of the plan. */
  readonly looks: readonly Look[];
  /** In the order they ended. */
  readonly samples: readonly Sample[];
  /** How many of `samples` no process has journalled: it ended before the request did. */
  readonly unended: number;
  /** Samples of trials that were sent once more, each time but the last: they cost, and are not analysed. */
  readonly replaced: readonly Sample[];
  readonly facts: readonly Fact[];
  /** In the order they were written; empty where nothing was scored. */
  readonly scores: readonly ScoreLine[];
  /** In the order they were written; empty where no ballot was drawn. */
  readonly votes: readonly VoteLine[];
  /** One sentence for each torn last line that was passed over. */
  readonly notices: readonly string[];
}
