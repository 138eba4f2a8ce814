/** The progress for `--json`: codes and numbers, no sentence. Requests are those of this process. */
export interface ProgressEvent {
  readonly event: 'progress';
  /** Since this process began to measure. */
  readonly atMs: number;
  readonly done: number;
  /** Requests to send, with those done; without those of abandoned variants. */
  readonly planned: number;
  readonly inFlight: number;
  /** Results other than ok, moderated, cancelled or dropped. */
  readonly failed: number;
  readonly refusals: number;
  /** Results per second since the first request; null before the first result. */
  readonly perSecond: number | null;
  /** Estimated; null if unknown, or nothing more is sent. */
  readonly leftMs: number | null;
  /** Null if no cost is known. */
  readonly spent: SpentSoFar | null;
  /** The server that cannot be reached, while the run waits for it; else null. */
  readonly waitingFor: { readonly origin: string; readonly code: string } | null;
  /** After an interrupt: no more requests are sent. */
  readonly stopping: boolean;
  /** The gate is decided: only probes are still sent. */
  readonly decided: boolean;
  readonly variants: readonly VariantProgressEvent[];
}

export interface VariantProgressEvent {
  readonly variant: string;
  readonly done: number;
  readonly planned: number;
  readonly inFlight: number;
  readonly failed: number;
  /** p50 of delivered takes so far; null without one, and for a sweep. */
  readonly p50Ms: number | null;
  /** No more requests of it are sent. */
  readonly abandoned: boolean;
}

export interface SpentSoFar {
  readonly usd: number;
  /** Some requests have no known cost: more may be spent. */
  readonly isPartial: boolean;
  readonly limitUsd: number | null;
}
