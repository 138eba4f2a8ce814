import type { Note } from '../note.ts';
import type { MethodCode } from './method.ts';

export interface MeasuredInterval {
  readonly low: number | null;
  readonly high: number | null;
}

export interface Finding {
  readonly statistic: string;
  /** Null where there is none; then `notes` says why. */
  readonly value: number | null;
  readonly n: number;
  /**
   * Of a share of events: how many there were, among how many trials, and how many of these could have been one. In
   * independent trials, where they are worth fewer.
   */
  readonly counted?: { readonly events: number; readonly trials: number; readonly possible: number };
  /** At the level `CONFIDENCE`; null where there is none. */
  readonly interval: MeasuredInterval | null;
  readonly method: MethodCode;
  readonly notes: readonly Note[];
}
