/** What a load did to the numbers, or how the way of sending bends them. */
export type LoadWarning =
  | DependentTakes
  | QueueGrows
  | ServiceStalled
  | CoarsePolls
  | Contended
  | DriftConfounded
  | ConcurrencyNotReached
  | MeasuredInShards;

/** Takes of a variant that depend on those sent just before them, beyond chance (permutation test at 1 %). */
export interface DependentTakes {
  readonly code: 'dependent_takes';
  readonly variant: string;
  /** Of a sweep, how many were in flight; null outside one. */
  readonly step: number | null;
  /** Lag-1 rank autocorrelation, in sending order, of how much longer than its cell's median each took. */
  readonly r: number;
  readonly n: number;
  /** How many independent takes they are worth. */
  readonly effectiveN: number;
}

/** Open load above what the service does: its queue grew through the whole load, or through a whole stage of it. */
export interface QueueGrows {
  readonly code: 'queue_grows';
  /** Latencies depend on how long the load lasted: no number of milliseconds is the service's. */
  readonly unfit: true;
  readonly variant: string;
  /** The stage of the load, from 1; null where it has one. */
  readonly stage: number | null;
  readonly offeredPerSecond: number;
  /** Ok outputs while the stage lasted. */
  readonly donePerSecond: number;
  /** Median latency.response of the first and the last eighth of calls, by due time; null: above the time limit. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

/** Closed load in which the service stalled: calls that would have met the stall were never begun (coordinated omission). */
export interface ServiceStalled {
  readonly code: 'service_stalled';
  readonly variant: string;
  /** Of a sweep, how many were in flight; null outside one. */
  readonly step: number | null;
  /** Takes of more than ten times the median, and half a second longer. */
  readonly takes: number;
  readonly longestMs: number;
  readonly medianMs: number;
  /** Calls that would have begun while those takes lasted, had they been ordinary. */
  readonly hiddenCalls: number;
  /** Calls that delivered. */
  readonly calls: number;
}

/** Polls so far apart that latencies are those of the polls as much as those of the service. */
export interface CoarsePolls {
  readonly code: 'coarse_polls';
  readonly variant: string;
  readonly target: string;
  /** Of a sweep, how many were in flight; null outside one. */
  readonly step: number | null;
  /** From the last poll that said not yet to the one that said done, the median. */
  readonly gapMs: number;
  readonly medianMs: number;
}

/** The order is mixed: variants queue behind one another. */
export interface Contended {
  readonly code: 'contended';
}

/** The variants were measured one after the other: a service that changes over the run looks like a difference between them. */
export interface DriftConfounded {
  readonly code: 'drift_confounded';
  readonly mode: 'closed' | 'open';
}

/** Slices too small for as many in flight as were asked for. */
export interface ConcurrencyNotReached {
  readonly code: 'concurrency_not_reached';
  /** Trials in the largest slice: more were never in flight. */
  readonly largestSlice: number;
  readonly concurrency: number;
  readonly sweep: boolean;
}

/** Several machines sent parts of the run: how many of their requests were at the service together is not known. */
export interface MeasuredInShards {
  readonly code: 'measured_in_shards';
  /** Shards that were merged. */
  readonly shards: number;
  /** Of all shards together: more were never in flight. */
  readonly concurrency: number;
  readonly mode: 'closed' | 'open';
}
