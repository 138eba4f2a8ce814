import type { PlannedLooks } from './planned-looks.ts';
import type { Trial } from './trial.ts';

/** Warm-ups and probes do not measure. */
export function isMeasured({ phase }: Pick<Trial, 'phase'>): boolean {
  return phase === 'trial' || phase === 'step' || phase === 'confirm' || phase === 'against';
}

/** Trials that are sent together; drained before the next slice begins. */
export interface Slice {
  readonly index: number;
  readonly trials: readonly Trial[];
  readonly pace: Pace;
}

export type Pace =
  /** So many in flight; the next begins when one has ended. */
  | { readonly mode: 'closed'; readonly concurrency: number }
  /** Milliseconds from the slice's start, ascending, one per trial; dropped when `ceiling` are in flight. */
  | { readonly mode: 'open'; readonly ceiling: number; readonly startsMs: readonly number[] };

/** The same suite gives the same plan on every machine, except for seeds of its cache probe, drawn from the nonce. */
export interface Plan {
  /** SHA-256 over the trial ids in order and the slices' bounds. */
  readonly digest: string;
  readonly slices: readonly Slice[];
  readonly requests: number;
  /** Null for one part. */
  readonly looks: PlannedLooks | null;
}

export function largestSlice({ slices }: Plan): number {
  return slices.reduce((most, { trials }) => Math.max(most, trials.length), 0);
}
