import type { Kind } from '../suite/format/suite.ts';
import type { PlannedLooks } from './parts.ts';
import type { ProbePart } from './probes/probe-part.ts';

/**
 * Why a trial is made. Warm-ups and probes do not measure; a warm-up is analysed only as latency.cold. `step`: of a sweep;
 * `confirm`: of a cell that is measured again; `against`: of a variant of the stored baseline that is sent again.
 */
export type Phase = 'trial' | 'warmup' | 'probe' | 'step' | 'confirm' | 'against';

/** One request to be made: variant x case x seed x repeat. */
export interface Trial {
  /**
   * Digest of variant, phase, prompt, seed, repeat and request digest: stable across machines, joins runs. Of a cache
   * probe its part stands for its seed, which is another in each run.
   */
  readonly id: string;
  readonly variant: string;
  readonly kind: Kind;
  readonly prompt: string;
  /** Null: left out, as one of the seed probe's trials leaves it. */
  readonly seed: number | null;
  /** From 1. */
  readonly repeat: number;
  /** Case x seed x repeat within a kind; trials of one block are compared with each other. */
  readonly block: string;
  readonly phase: Phase;
  /** Of a sweep: how many are in flight beside it and with it. Its phase is `step` or `against`. */
  readonly step?: number;
  /** What it is in a probe; only trials of the phase `probe` have it. */
  readonly probe?: ProbePart;
  /** SHA-256 of the rendered submit without host and secrets. */
  readonly requestDigest: string;
}

/** Whether a trial is one of those that measure: a warm-up is not, nor a probe. */
export function isMeasured({ phase }: Pick<Trial, 'phase'>): boolean {
  return phase === 'trial' || phase === 'step' || phase === 'confirm' || phase === 'against';
}

/** Trials that are sent together; drained before the next slice begins. */
export interface Slice {
  /** Its place in the plan, from 0. */
  readonly index: number;
  readonly trials: readonly Trial[];
  readonly pace: Pace;
}

/** How the trials of a slice are begun. */
export type Pace =
  /** So many in flight; the next begins when one has ended. */
  | { readonly mode: 'closed'; readonly concurrency: number }
  /**
   * Each at its time, milliseconds from the slice's begin, in ascending order and one for each trial; one that finds
   * `ceiling` in flight is dropped.
   */
  | { readonly mode: 'open'; readonly ceiling: number; readonly startsMs: readonly number[] };

/**
 * A suite expanded: what is sent, in which order. The same suite gives the same plan on every machine, but for the
 * seeds of its cache probe, which follow from a number drawn for each run.
 */
export interface Plan {
  /** SHA-256 over the trial ids in order and the slices' bounds. */
  readonly digest: string;
  readonly slices: readonly Slice[];
  readonly requests: number;
  /** Its parts, where the gate is looked at more than once; else null. */
  readonly looks: PlannedLooks | null;
}

/** Trials in the largest slice of a plan: never more than these are in flight, whatever its pace allows. */
export function largestSlice({ slices }: Plan): number {
  return slices.reduce((most, { trials }) => Math.max(most, trials.length), 0);
}
