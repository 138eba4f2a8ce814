import type { Fact } from './fact.ts';
import type { Attempt, Intent, SegmentEnded, SegmentStarted, VariantAbandoned } from './journal.ts';
import type { Run } from './run.ts';
import type { Sample } from './sample.ts';

/** A record read back whole: all that analysis and reports are made from. */
export interface StoredRun {
  readonly run: Run;
  /** `ended` is null where the process was killed. */
  readonly segments: readonly { readonly started: SegmentStarted; readonly ended: SegmentEnded | null }[];
  readonly intents: readonly Intent[];
  /** Refusals that were sent again. */
  readonly attempts: readonly Attempt[];
  /** Variants that were abandoned in mid-run. */
  readonly abandoned: readonly VariantAbandoned[];
  /** In the order they were journalled: as they ended. */
  readonly samples: readonly Sample[];
  readonly facts: readonly Fact[];
  /** What reading had to pass over: a torn last line. One sentence each. */
  readonly notices: readonly string[];
}
