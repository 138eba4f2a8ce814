import type { LeftOutReason } from '../../record/model/run.ts';
import type { WhyIncomplete } from './incomplete-run.ts';

/** What a run did not measure, or cannot say by its plan. */
export type RunWarning =
  | Incomplete
  | VariantsLeftOut
  | ChangedEnvironment
  | UnansweredRequests
  | SingleTakes
  | NotWarmedUp
  | WarmupFailed;

/** Trials of the plan that were never measured. */
export interface Incomplete extends WhyIncomplete {
  readonly code: 'incomplete';
  readonly missing: number;
  readonly planned: number;
  /** Probes that were not sent. */
  readonly missingProbes: number;
}

/** Variants of the suite that this machine cannot measure, all for one reason. */
export interface VariantsLeftOut {
  readonly code: 'variants_left_out';
  readonly variants: readonly string[];
  readonly reason: LeftOutReason;
}

/** Environment variables that had another value when the stored baseline was measured whose variants were sent again. */
export interface ChangedEnvironment {
  readonly code: 'changed_environment';
  /** The run of the baseline. */
  readonly baselineRun: string;
  readonly names: readonly string[];
}

/** Requests that were sent by a process that was killed: what became of them is not known. */
export interface UnansweredRequests {
  readonly code: 'unanswered_requests';
  readonly requests: number;
}

/** One repeat: whether a variant is deterministic needs two takes. */
export interface SingleTakes {
  readonly code: 'single_takes';
}

/** `load.warmup` is 0. */
export interface NotWarmedUp {
  readonly code: 'not_warmed_up';
}

/** Variants whose warm-ups all failed. */
export interface WarmupFailed {
  readonly code: 'warmup_failed';
  readonly variants: readonly string[];
}
