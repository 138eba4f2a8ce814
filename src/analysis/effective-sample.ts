import { OUTCOMES } from '../record/codes.ts';
import type { ShownFact, UndecodableReason, UnexaminedReason } from '../record/fact.ts';
import type { Sample } from '../record/journal.ts';

/**
 * An outcome of the runner, or `blank`: a delivered output with nothing on it, as safety filters hand out. It is an
 * answer, but nothing to time, to compare or to count as delivered.
 */
export const EFFECTIVE_OUTCOMES = [...OUTCOMES, 'blank'] as const;

export type EffectiveOutcome = (typeof EFFECTIVE_OUTCOMES)[number];

/** Trials that the service refused for what they ask or show. */
export const BLOCKED: ReadonlySet<EffectiveOutcome> = new Set(['moderated', 'blank']);

/** A sample with what examination found of it. */
export interface EffectiveSample {
  readonly sample: Sample;
  /** The runner's outcome, or what examination makes of it: `invalid_media` does not decode, `blank` shows nothing. */
  readonly outcome: EffectiveOutcome;
  readonly error: EffectiveError | null;
  readonly timings: Timings;
  readonly output: EffectiveOutput | null;
  readonly costUsd: number | null;
  /** Sorted. */
  readonly flags: readonly string[];
}

/** A sample is not timed, so not in latencies, where a cache may have answered it. */
export interface TimedSample extends EffectiveSample {
  readonly timed: boolean;
}

export interface EffectiveError {
  readonly code: string;
  /** What the service or the system said: hostile text. Empty where examination found the failure. */
  readonly message: string;
  /** Set for the code `undecodable` alone. */
  readonly undecodable: UndecodableReason | null;
}

/**
 * The durations that results/README.md defines, in milliseconds; null where a mark was not reached or the phase is not
 * defined.
 */
export interface Timings {
  readonly totalMs: number | null;
  /** Open load only: how late the call was begun. */
  readonly startLagMs: number | null;
  readonly responseMs: number | null;
  readonly submitMs: number | null;
  readonly queueMs: number | null;
  /** What of it polls saw for certain: work may have begun at any time between this and `queueMs`. */
  readonly queueLowMs: number | null;
  readonly runMs: number | null;
  /** The most that polls leave open: from the last that said not begun to the one that said done. */
  readonly runHighMs: number | null;
  readonly detectMs: number | null;
  readonly downloadMs: number | null;
  readonly ttfbMs: number | null;
  readonly generationLowMs: number | null;
  readonly generationMs: number | null;
}

export interface EffectiveOutput {
  readonly sha256: string;
  readonly bytes: number;
  readonly mime: string | null;
  readonly items: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly frames: number | null;
  /** Frames a second and seconds of a video; null for an image too. */
  readonly fps: number | null;
  readonly durationS: number | null;
  readonly thumbnail: boolean;
  readonly shown: ShownFact | null;
  /** Why examination could not decode it: then nothing but its bytes is known. */
  readonly undecoded: UnexaminedReason | null;
}

/**
 * Trials that failed: what error_rate counts. A blocked prompt (`moderated`, `blank`) is an answer, and has its own
 * rate.
 */
export const FAILED: ReadonlySet<EffectiveOutcome> = new Set([
  'rejected',
  'no_credit',
  'error',
  'timed_out',
  'unknown_charged',
  'invalid_media',
]);

/** Trials the service could answer: what error_rate is a share of. */
export const ANSWERABLE = allBut('cancelled', 'defect', 'dropped', 'throttled');

export function allBut(...leftOut: readonly EffectiveOutcome[]): ReadonlySet<EffectiveOutcome> {
  return new Set(EFFECTIVE_OUTCOMES.filter((outcome) => !leftOut.includes(outcome)));
}
