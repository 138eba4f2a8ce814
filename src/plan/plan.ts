import type { PlannedLooks } from './planned-looks.ts';
import type { Trial } from './trial.ts';

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
