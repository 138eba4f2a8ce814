import { join } from 'node:path';
import type { HistoryLine } from '../../record/model/history-line.ts';
import { salvageHistory } from '../../record/read-record.ts';
import { lookedAt, statOf } from '../files/look-at.ts';
import { BoundedMap } from './bounded-map.ts';
import { type HeadlineTrend, headlineTrends } from './headline-trend.ts';

/** What a list of runs shows of the history of their suite. */
export interface SuiteHistory {
  readonly lineOf: (run: string) => Pick<HistoryLine, 'complete' | 'verdict'> | null;
  readonly trends: readonly HeadlineTrend[];
}

/** Reads histories. One that did not change is not read again. */
export type ReadSuiteHistory = (suiteFolder: string) => SuiteHistory;

const MOST_KEPT = 100;
const MOST_RUNS = 60;

/** A reader of histories with a memory of its own. Lines that are damaged are passed over. */
export function suiteHistoryReader(): ReadSuiteHistory {
  const kept = new BoundedMap<string, { readonly stamp: string; readonly history: SuiteHistory }>(MOST_KEPT);
  return (folder) => {
    const found = statOf(join(folder, 'history.jsonl'));
    const stamp = `${found?.size}:${found?.mtimeMs}`;
    const known = kept.get(folder);
    if (known?.stamp === stamp) return known.history;
    const lines = found === null ? [] : lookedAt(() => salvageHistory(folder), []);
    const byRun = new Map(lines.map(({ run, complete, verdict }) => [run, { complete, verdict }]));
    const history = { lineOf: (run: string) => byRun.get(run) ?? null, trends: headlineTrends(lines, MOST_RUNS) };
    kept.set(folder, { stamp, history });
    return history;
  };
}
