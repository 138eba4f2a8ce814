import { type AnalysedRun, analyse } from '../analysis/analyse.ts';
import type { Metric } from '../analysis/measures/metric.ts';
import type { Baseline } from '../record/model/baseline.ts';
import type { HistoryLine } from '../record/model/history-line.ts';
import type { StoredRun } from '../record/model/stored-run.ts';
import { type AgainstBaseline, againstBaseline } from './baseline/against-baseline.ts';
import { compareRun } from './compare.ts';
import type { Comparison } from './comparison.ts';
import { decideGate } from './gate/decide-gate.ts';
import type { Verdict } from './gate/verdict.ts';

/** A record with everything that follows from it. */
export interface Assessment {
  readonly analysed: AnalysedRun;
  readonly comparisons: readonly Comparison[];
  readonly verdict: Verdict;
  /** The run beside its stored baseline; null where none was given. */
  readonly against: AgainstBaseline | null;
}

/**
 * Analyses a record, compares its variants and decides its gate. Pure: the same input gives the same.
 *
 * @param baseline the stored baseline that rules hold the run against; null where there is none
 * @param history lines of the suite's runs; rules against earlier runs need them
 */
export function assess(
  record: StoredRun,
  metrics: readonly Metric[],
  baseline: Baseline | null = null,
  history: readonly HistoryLine[] = [],
): Assessment {
  const { run } = record;
  const analysed = analyse(record, metrics);
  const { analysis, trials } = analysed;
  const { variants, prompts, measures } = analysis;
  const floorMs = analysis.run.calibration?.floorMs ?? null;
  const comparisons = compareRun({ variants, prompts, load: run.plan.load, trials, metrics, measures, floorMs });
  // Only the whole run has a verdict: a shard of it has some of the cell pairs that a rule needs.
  const rules = run.shard === null ? run.gate : [];
  const against = baseline === null ? null : againstBaseline(baseline, run, analysed, metrics);
  const verdict = decideGate({ rules, analysed, comparisons, leftOut: run.leftOut, metrics, against, history });
  return { analysed, comparisons, verdict, against };
}
