import type { TwoRuns } from '../../compare/baseline/two-runs.ts';
import type { OutputFact, PairFact } from '../../record/model/fact.ts';
import type { StoredRun } from '../../record/model/stored-run.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';

/** Functions that know every metric and reporter, which the viewer does not. */
export interface Makers {
  readonly report: (folder: string) => Promise<Checked<Iterable<string> | AsyncIterable<string>>>;
  readonly history: (
    suiteFolder: string,
    reportOf: (run: string) => string | null,
  ) => Promise<Checked<Iterable<string>>>;
  /** By the cells that both have. */
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
  readonly reportFiles: readonly string[];
  /** Whether another process measures, examines or reports a run. */
  readonly isInUse: (folder: string) => boolean;
}
