import type { Trial } from '../../plan/trial.ts';
import type { Sample } from '../../record/model/sample.ts';
import type { Abandonment } from '../../record/model/stop.ts';
import type { RefusedAttempt } from '../../targets/call/edge.ts';

export type RunnerEvent =
  | { readonly event: 'started'; readonly trial: Trial }
  | { readonly event: 'refused'; readonly trial: Trial; readonly attempt: Omit<RefusedAttempt, 'throttled'> }
  | { readonly event: 'abandoned'; readonly variant: string; readonly why: Abandonment }
  /** After a look between two parts of the plan; once decided, no further part is sent. */
  | { readonly event: 'look'; readonly look: number; readonly of: number; readonly decided: boolean }
  /** A server that was reached before cannot be reached; the run waits for it. */
  | { readonly event: 'waiting'; readonly origin: string; readonly code: string }
  | { readonly event: 'reached'; readonly origin: string }
  | { readonly event: 'ended'; readonly sample: Sample };

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
