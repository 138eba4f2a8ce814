import type { ShownFact, UndecodableReason, UnexaminedReason } from '../record/model/fact.ts';
import type { Sample } from '../record/model/sample.ts';
import type { EffectiveOutcome } from './effective-outcomes.ts';

/** A sample as it counts: the effective outcome after examination, its timings, what its output is. */
export interface EffectiveSample {
  readonly sample: Sample;
  /** The runner's outcome, or what the facts make of it: `invalid_media` does not decode, `blank` shows nothing. */
  readonly outcome: EffectiveOutcome;
  readonly error: EffectiveError | null;
  readonly timings: Timings;
  readonly output: EffectiveOutput | null;
  /** Null where the price is not known. */
  readonly costUsd: number | null;
  /** Sorted. */
  readonly flags: readonly string[];
}

/** An effective sample, and whether its times count in latencies: what a cache may have answered does not. */
export interface TimedSample extends EffectiveSample {
  readonly timed: boolean;
}

/** Why a sample failed. */
export interface EffectiveError {
  readonly code: string;
  /** What the service or the system said: hostile text. Empty where examination found the failure. */
  readonly message: string;
  /** Of the code `undecodable`: why its output does not decode. Else null. */
  readonly undecodable: UndecodableReason | null;
}

/** The durations that src/README.md defines, in milliseconds; null where a mark was not reached or the phase is not defined. */
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
  /** What it shows; null where that is not known. */
  readonly shown: ShownFact | null;
  /** Why it was not decoded, where examination says so: then nothing is known of it but its bytes. */
  readonly undecoded: UnexaminedReason | null;
}
