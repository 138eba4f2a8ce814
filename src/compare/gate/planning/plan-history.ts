import type { HistoryLine } from '../../../record/model/history-line.ts';
import type { RunPlan, RunVariant } from '../../../record/model/run.ts';
import { reachOfRuns } from '../../history/decide-runs.ts';
import { cellsOfRun, comparableRuns } from '../../history/earlier-runs.ts';
import { comparableDigest } from '../../history/line-of-run.ts';
import { historyLimitOf } from '../bounds/history.ts';
import type { PlannedCase } from './planned-case.ts';

export interface PlannedRun {
  readonly plan: Pick<RunPlan, 'digest' | 'load' | 'looks'>;
  /** As a run records them. */
  readonly variants: readonly Pick<RunVariant, 'name' | 'baseUrl'>[];
}

export function withEarlierRuns(
  cases: readonly PlannedCase[],
  { plan, variants }: PlannedRun,
  lines: readonly HistoryLine[],
): readonly PlannedCase[] {
  return cases.map((planned): PlannedCase => {
    const { rule, variant, prompts } = planned.ruleCase;
    const recorded = variants.find(({ name }) => name === variant.name);
    if (planned.reach.can !== 'decide_runs' || recorded === undefined) return planned;
    const digest = comparableDigest(plan, recorded);
    const runs = comparableRuns(lines, { variant: variant.name, digest }).map(({ of }) =>
      cellsOfRun(of, rule.metric, prompts),
    );
    return {
      ...planned,
      n: runs.length,
      reach: { ...planned.reach, earlier: reachOfRuns(runs, historyLimitOf(rule)) },
    };
  });
}
