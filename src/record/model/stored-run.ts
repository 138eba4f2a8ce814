import type { Fact } from './fact.ts';
import type { Attempt, Intent, Look, SegmentEnded, SegmentStarted, VariantAbandoned } from './journal.ts';
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
  /** Looks at the gate between the parts of the plan, in their order. */
  readonly looks: readonly Look[];
  /** In the order they were journalled: as they ended. */
  readonly samples: readonly Sample[];
  /** Those of `samples` that no process has journalled: it ended before the request did. */
  readonly unended: number;
  /** What became of trials that were sent once more, each time but the last: they cost, and are not analysed. */
  readonly replaced: readonly Sample[];
  readonly facts: readonly Fact[];
  /** What reading had to pass over: a torn last line. One sentence each. */
  readonly notices: readonly string[];
}
