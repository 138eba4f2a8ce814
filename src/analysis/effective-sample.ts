import { OUTCOMES } from '../record/codes.ts';
import type { ShownFact, UndecodableReason, UnexaminedReason } from '../record/fact.ts';
import type { Sample } from '../record/journal.ts';

/** Adds `blank`: an empty output, as safety filters deliver. It is an answer, but neither timed nor delivered. */
export const EFFECTIVE_OUTCOMES = [...OUTCOMES, 'blank'] as const;

export type EffectiveOutcome = (typeof EFFECTIVE_OUTCOMES)[number];

/** Trials refused because of their content. */
export const BLOCKED: ReadonlySet<EffectiveOutcome> = new Set(['moderated', 'blank']);

export interface EffectiveSample {
  readonly sample: Sample;
  /** The runner's outcome, or that of the examination: `invalid_media` does not decode, `blank` shows nothing. */
  readonly outcome: EffectiveOutcome;
  readonly error: EffectiveError | null;
  readonly timings: Timings;
  readonly output: EffectiveOutput | null;
  readonly costUsd: number | null;
  /** Sorted. */
  readonly flags: readonly string[];
}

/** `timed` is false if a cache may have answered: then the sample is in no latency. */
export interface TimedSample extends EffectiveSample {
  readonly timed: boolean;
}

export interface EffectiveError {
  readonly code: string;
  /** What the service or the system reported: hostile text. Empty if examination found the failure. */
  readonly message: string;
  /** Only for the code `undecodable`. */
  readonly undecodable: UndecodableReason | null;
}

/** Durations in milliseconds as results/README.md defines them; null if undefined or a mark is missing. */
export interface Timings {
  readonly totalMs: number | null;
  /** How late the call was started; open load only. */
  readonly startLagMs: number | null;
  readonly responseMs: number | null;
  readonly submitMs: number | null;
  readonly queueMs: number | null;
  /** The part of the queue time that polls prove: work may have begun between this and `queueMs`. */
  readonly queueLowMs: number | null;
  readonly runMs: number | null;
  /** The longest run time that polls allow: from the last "not begun" to the first "done". */
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
  /** Frames per second and duration of a video; null for an image. */
  readonly fps: number | null;
  readonly durationS: number | null;
  readonly thumbnail: boolean;
  readonly shown: ShownFact | null;
  /** Why the output was not decoded: then only its bytes are known. */
  readonly undecoded: UnexaminedReason | null;
}

/** Trials counted by error_rate. A blocked prompt (`moderated`, `blank`) is an answer and has its own rate. */
export const FAILED: ReadonlySet<EffectiveOutcome> = new Set([
  'rejected',
  'no_credit',
  'error',
  'timed_out',
  'unknown_charged',
  'invalid_media',
]);

export const ANSWERABLE = allBut('cancelled', 'defect', 'dropped', 'throttled');

export function allBut(...leftOut: readonly EffectiveOutcome[]): ReadonlySet<EffectiveOutcome> {
  return new Set(EFFECTIVE_OUTCOMES.filter((outcome) => !leftOut.includes(outcome)));
}
