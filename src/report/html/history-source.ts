import type { Trend } from '../../compare/history/trend.ts';

/** What the page of a trend is made from. */
export interface HistorySource {
  readonly trend: Trend;
  /** Where the report of a run is, as a relative URL from the page; null where there is none. */
  readonly reportOf: (run: string) => string | null;
}
