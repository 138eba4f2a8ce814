import type { Unfitness } from '../../record/model/calibration.ts';

/** What the measuring machine, or what it sent, did to the numbers. */
export type HarnessWarning =
  | TooManyLateStamps
  | FlagsDisagree
  | LateStarts
  | DroppedStarts
  | AbandonedRequests
  | UnfitMachine;

/**
 * So many samples of a variant were stamped late that it is significantly above 5 %, or that its median is another without them. What they
 * void is said apart: the tails of each of these variants; p50 by `agree`; what a comparison loses by is in its notes.
 */
export interface TooManyLateStamps {
  readonly code: 'too_many_late_stamps';
  /** Where p50 of a variant is not shown to be the same without these samples. */
  readonly unfit?: true;
  readonly variants: readonly LateVariant[];
  /** Variants of the run. */
  readonly ofVariants: number;
  /** How late the event loop of the thread that stamps ran; null where it was not watched. */
  readonly loopDelay: { readonly p99Ms: number; readonly maxMs: number } | null;
  readonly mode: 'closed' | 'open';
  /** The most in flight. */
  readonly concurrency: number;
}

export interface LateVariant {
  readonly variant: string;
  readonly late: number;
  readonly samples: number;
  /** Whether p50 with and without flagged samples agree, at each step of a sweep; null where one has no interval. */
  readonly agree: boolean | null;
}

/** The median with flagged samples and the one without have disjoint intervals. */
export interface FlagsDisagree {
  readonly code: 'flags_disagree';
  readonly variant: string;
  readonly step: number | null;
  /** Null: above the time limit. */
  readonly withFlaggedMs: number | null;
  readonly withoutFlaggedMs: number | null;
}

/** Calls of open load that this machine began well after they were due. */
export interface LateStarts {
  readonly code: 'late_starts';
  readonly variant: string;
  /** Start lag: its p99, or the largest where there are too few calls for one. */
  readonly lagMs: number;
  readonly statistic: 'p99' | 'max';
  /** The lag up to which the rate counts as kept. */
  readonly limitMs: number;
}

/** Starts of open load that found as many calls in flight as may be. */
export interface DroppedStarts {
  readonly code: 'dropped_starts';
  readonly variant: string;
  readonly dropped: number;
  /** Starts that were due. */
  readonly starts: number;
  /** The most that may be in flight. */
  readonly concurrency: number;
}

/** Requests that were abandoned and may have gone on at the service, and samples that may have run beside them. */
export interface AbandonedRequests {
  readonly code: 'abandoned_requests';
  /** Null where they were not counted. */
  readonly requests: number | null;
  readonly samples: number;
  /** Variants of these samples. */
  readonly variants: readonly string[];
  /** The user aborted them: no time limit did. */
  readonly interrupted: boolean;
  /** Variants with abandoned requests whose jobs are polled and whose target does not say how a job is cancelled. */
  readonly withoutCancel: readonly string[];
}

/** What the calibration before the first request found against the machine. */
export interface UnfitMachine {
  readonly code: 'unfit_machine';
  /** Of a merged run, the shards whose machines it was found against, the worst first; null of any other. */
  readonly shards: readonly number[] | null;
  /** Of several shards, that of the worst. */
  readonly reason: Unfitness;
}
