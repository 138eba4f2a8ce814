import type { Note } from '../note.ts';
import type { MethodCode } from './method.ts';

/** An interval; an end is null where it is not known. */
export interface MeasuredInterval {
  readonly low: number | null;
  readonly high: number | null;
}

/** What a metric says of its subject, one statistic; the rest of a measure follows from the metric and the subject. */
export interface Finding {
  readonly statistic: string;
  /** Null where there is none; then `notes` says why. */
  readonly value: number | null;
  /** How many the value stands on. */
  readonly n: number;
  /**
   * Of a share of events: how many there were, among how many trials, and how many of these could have been one. Counted in
   * independent trials, where they are worth fewer.
   */
  readonly counted?: { readonly events: number; readonly trials: number; readonly possible: number };
  /** At the level `CONFIDENCE`; null where there is none. */
  readonly interval: MeasuredInterval | null;
  readonly method: MethodCode;
  /** What must be known to read it. */
  readonly notes: readonly Note[];
}
