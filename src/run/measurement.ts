import type { TrialCosts } from '../plan/estimate.ts';
import type { Plan } from '../plan/plan.ts';
import type { Trial } from '../plan/trial.ts';
import type { FleetStop } from '../record/journal.ts';
import type { RecordWriter } from '../record/store.ts';
import type { Limits, Load } from '../suite/load.ts';
import type { Clock } from './clock.ts';
import type { CallRequest, RunnerEvent } from './events.ts';
import type { OwnService, Server } from './limits.ts';
import type { Resumption } from './resumption.ts';
import type { Wire } from './wire.ts';

export interface Measurement {
  readonly plan: Plan;
  readonly load: Load;
  readonly limits: Limits;
  /** Whether the loads of a sweep must hold something: then failures end a load, not the run. */
  readonly holds: boolean;
  /** Of earlier processes; null for a new run. */
  readonly resumption: Resumption | null;
  /** Renders when sent, so that a large plan does not fill memory. */
  readonly requestOf: (trial: Trial) => CallRequest;
  /** Null: a server that is not waited for. */
  readonly serverOf: (variant: string) => Server | null;
  /** Upper bounds for `limits.usd`. */
  readonly costOf: TrialCosts;
  /** Whether its price is per second, which the header of an output may state. */
  readonly isPerSecond: (trial: Trial) => boolean;
  /** The media type that the target promises; null: any. */
  readonly expectedOf: (trial: Trial) => string | null;
}

/** Keeps the slices of several processes in step. */
export interface Barrier {
  /** Called before each slice, once the one before is recorded. Resolves when it may begin, or the run has ended. */
  readonly before: (slice: number) => Promise<void>;
  /** Resolves when no more requests may be sent. */
  readonly ended: Promise<FleetStop>;
}

export interface RunnerEdge {
  readonly clock: Clock;
  readonly wire: Wire;
  readonly record: RecordWriter;
  /** Once aborted, no new request leaves; those in flight end normally. */
  readonly drain: AbortSignal;
  readonly observe: (event: RunnerEvent) => void;
  /** Called between parts of the plan, with nothing in flight; decides the gate on the record so far. */
  readonly look?: ((look: number) => Promise<'go_on' | 'decided'>) | undefined;
  readonly barrier?: Barrier | undefined;
  readonly service?: OwnService | null;
}
