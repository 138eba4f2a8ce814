/** How far a run is, as `--json` prints it: codes and numbers, no sentence. Requests are those of this process. */
export interface ProgressEvent {
  readonly event: 'progress';
  /** Milliseconds since this process began to measure. */
  readonly atMs: number;
  /** Requests that have a result. */
  readonly done: number;
  /** Requests that are to be sent, done ones included; without those of variants that were left out. */
  readonly planned: number;
  readonly inFlight: number;
  /** Results that are neither ok nor moderated, cancelled or dropped. */
  readonly failed: number;
  /** Replies that said the request is rate-limited. */
  readonly refusals: number;
  /** Results per second since the first request; null before the first result. */
  readonly perSecond: number | null;
  /** An estimate of what is left, milliseconds; null where it is not known, or nothing more is sent. */
  readonly leftMs: number | null;
  /** Null where nothing is known to cost anything. */
  readonly spent: SpentSoFar | null;
  /** The server that is waited for, because no connection to it can be opened; else null. */
  readonly waitingFor: { readonly origin: string; readonly code: string } | null;
  /** Whether it was interrupted: no more requests are sent. */
  readonly stopping: boolean;
  /** Whether the gate is decided: of what is planned, only probes are still sent. */
  readonly decided: boolean;
  readonly variants: readonly VariantProgressEvent[];
}

export interface VariantProgressEvent {
  readonly variant: string;
  readonly done: number;
  readonly planned: number;
  readonly inFlight: number;
  readonly failed: number;
  /** Median latency of the takes so far that were delivered, milliseconds; null without one, and of a sweep. */
  readonly p50Ms: number | null;
  /** Whether it was left out: no more requests of it are sent. */
  readonly abandoned: boolean;
}

export interface SpentSoFar {
  readonly usd: number;
  /** Whether some requests have no known cost: more may be spent. */
  readonly isPartial: boolean;
  readonly limitUsd: number | null;
}
