/** Takes of a variant that depend on those sent just before them, beyond chance (permutation test at 1 %). */
export interface DependentTakes {
  readonly code: 'dependent_takes';
  readonly variant: string;
  /** Of a sweep, how many were in flight; null outside one. */
  readonly step: number | null;
  /** Lag-1 rank autocorrelation, in sending order, of how much longer than its cell's median each took. */
  readonly r: number;
  readonly n: number;
  /** How many independent takes they are worth; null where they are worth no interval. */
  readonly effectiveN: number | null;
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
