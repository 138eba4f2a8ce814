import type { TwoRuns } from '../../compare/baseline/two-runs.ts';
import type { OutputFact, PairFact } from '../../record/model/fact.ts';
import type { StoredRun } from '../../record/model/stored-run.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';

/** What pages show beside the record itself: made from it by functions that know every metric and reporter. */
export interface Makers {
  /** The page of a run, as its html reporter makes it. */
  readonly report: (folder: string) => Promise<Checked<Iterable<string> | AsyncIterable<string>>>;
  /** The page of the trend of a suite. */
  readonly history: (
    suiteFolder: string,
    reportOf: (run: string) => string | null,
  ) => Promise<Checked<Iterable<string>>>;
  /** Two runs beside each other, by the cells that both have; the first was measured before the second. */
  readonly compare: (
    earlier: string,
    later: string,
  ) => Promise<Checked<{ readonly found: TwoRuns; readonly earlier: StoredRun; readonly later: StoredRun }>>;
  /** How two outputs of these runs differ; null where one of them does not decode, or `signal` is aborted. */
  readonly difference: (
    folders: readonly string[],
    outputs: readonly [OutputFact, OutputFact],
    signal: AbortSignal,
  ) => Promise<PairFact | null>;
  /** The names of the files that reporters write into the folder of a run. */
  readonly reportFiles: readonly string[];
  /** Whether another process measures, examines or reports a run. */
  readonly isInUse: (folder: string) => boolean;
}
