import type { JournalEvent } from '../../record/journal.ts';
import type { AbandonedVariants, OrphanWatch, Stopping } from '../limits/abandoned-variants.ts';
import type { Starts } from '../limits/starts.ts';
import type { StopRules } from '../limits/stop-rules.ts';
import type { ServerReach } from '../limits.ts';
import type { Measurement, RunnerEdge } from '../measurement.ts';

/** What all trials of a run share, from the first call to the last sample. */
export interface RunSending extends Measurement, RunnerEdge {
  readonly segment: number;
  /** Writes an event to the journal; the run stops if that fails. */
  readonly append: (event: JournalEvent) => void;
  readonly rules: StopRules;
  readonly stopping: Stopping;
  readonly abandoned: AbandonedVariants;
  readonly orphans: OrphanWatch;
  readonly reach: ServerReach;
  readonly starts: Starts;
}
