import type { Trend } from '../../compare/history/trend.ts';

export interface HistorySource {
  readonly trend: Trend;
  /** Relative to the page; null where the run has no report. */
  readonly reportOf: (run: string) => string | null;
}
