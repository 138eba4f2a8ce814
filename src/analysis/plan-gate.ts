import { isMeasured, type Plan } from '../plan/plan.ts';
import type { HistoryLine } from '../record/kept-run.ts';
import type { RunPlan, RunVariant } from '../record/run.ts';
import { alphasOf, ERROR_RATE } from './alpha.ts';
import { kindOf } from './bounds.ts';
import { cellsOfRun, comparableDigest, comparableRuns } from './earlier-runs.ts';
import { historyLimitOf } from './gate/bounds/history.ts';
import type { PlannedFault, RuleFault } from './gate/rule-fault.ts';
import { reachOfRuns } from './history/decide-runs.ts';
import type { PlacedTrial, PlannedCase, PlannedGate } from './planned-case.ts';
import { comparesVariants, type GatedVariant, type RuleCase, ruleCases } from './rule-cases.ts';

/** What each rule can decide of each variant, and rules that this plan can never pass or never fail. */
export function planGate(gate: PlannedGate): {
  readonly cases: readonly PlannedCase[];
  readonly faults: readonly RuleFault[];
} {
  const cases = ruleCases(gate.rules, gate.variants, gate.prompts, gate.metrics);
  const comparisons = cases.filter(({ rule }) => comparesVariants(rule)).length;
  // The last look stands on all units.
  const alpha = alphasOf(gate.plan.looks).at(-1) ?? ERROR_RATE;
  const planned = cases.map((ruleCase) => {
    const { rule } = ruleCase;
    const takes = takesOf(ruleCase, gate.plan);
    const { fault = null, ...reach } = kindOf(rule).plan({ ruleCase, takes, gate, alpha, comparisons });
    const unit = gate.metrics.find(({ name }) => name === rule.metric)?.unit ?? '1';
    return { planned: { ruleCase, unit, ...reach }, fault };
  });
  return {
    cases: planned.map((entry) => entry.planned),
    faults: distinctFaults(
      planned.flatMap(({ planned: { ruleCase }, fault }) =>
        fault === null ? [] : [{ index: ruleCase.index, key: ruleCase.rule.bound.is, ...fault }],
      ),
    ),
  };
}

function takesOf({ variant, prompts }: RuleCase<GatedVariant>, { slices }: Plan): readonly PlacedTrial[] {
  return slices.flatMap(({ index, trials }) =>
    trials
      .filter((trial) => isMeasured(trial) && trial.variant === variant.name)
      .filter(({ prompt }) => prompts === null || prompts.has(prompt))
      .map((trial) => ({ trial, slice: index })),
  );
}

function distinctFaults(faults: readonly (RuleFault & PlannedFault)[]): readonly RuleFault[] {
  return faults.filter(
    ({ index, code }, at) => faults.findIndex((other) => other.index === index && other.code === code) === at,
  );
}

export interface PlannedRun {
  readonly plan: Pick<RunPlan, 'digest' | 'load' | 'looks'>;
  readonly variants: readonly Pick<RunVariant, 'name' | 'baseUrl'>[];
  readonly vantage: string | null;
}

export function withEarlierRuns(
  cases: readonly PlannedCase[],
  { plan, variants, vantage }: PlannedRun,
  lines: readonly HistoryLine[],
): readonly PlannedCase[] {
  return cases.map((planned): PlannedCase => {
    const { rule, variant, prompts } = planned.ruleCase;
    const recorded = variants.find(({ name }) => name === variant.name);
    if (planned.reach.can !== 'decide_runs' || recorded === undefined) return planned;
    const digest = comparableDigest(plan, recorded, vantage);
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
