import type { Kind } from '../../suite/format/suite.ts';

/** The version of history.jsonl. */
export const HISTORY_FORMAT = 1;

/** What later runs need to know of a run: a line of history.jsonl. It follows from the run's record. */
export interface HistoryLine {
  readonly format: typeof HISTORY_FORMAT;
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly suiteDigest: string;
  readonly complete: boolean;
  readonly verdict: 'pass' | 'fail' | 'inconclusive' | 'none';
  /** The noise floor of the machine that measured, in milliseconds; absent where it was not calibrated. */
  readonly floorMs?: number;
  readonly variants: readonly HistoryVariant[];
}

/** A variant in a run. */
export interface HistoryVariant {
  readonly variant: string;
  readonly kind: Kind;
  /** Runs in which it is the same were sent the same requests, under the same load and to the same place. */
  readonly comparableDigest: string;
  /** The cells with a delivered take, in the order they were first sent. */
  readonly cells: readonly HistoryCell[];
  /**
   * By metric, of each of `cells` ln of the median over its takes; null where a cell has none, or where most of its takes timed out. Only
   * metrics that are compared by ratio.
   */
  readonly lnValues: Readonly<Record<string, readonly (number | null)[]>>;
  /** By metric, the mean of `lnValues`. */
  readonly meanLn: Readonly<Record<string, number>>;
  /** By metric, the share of takes: rates, and how many takes depart from the usual output of their cell. */
  readonly rates: Readonly<Record<string, number>>;
}

export interface HistoryCell {
  readonly prompt: string;
  readonly seed: number | null;
}
