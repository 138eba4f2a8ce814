import { levelsOf } from '../../analysis/pair-levels.ts';
import { needsMedia, type Stability, type StabilityLevel, stabilityOf } from '../../analysis/stability-of.ts';
import { groupBy } from '../../kit/grouping.ts';
import { plural } from '../../kit/wording.ts';
import type { BaselineCell } from '../../record/kept-run.ts';
import { clopperPearsonLower, clopperPearsonUpper } from '../../statistics/rate-interval.ts';
import type { Bound } from '../../suite/rule.ts';
import type { AllowedRange } from '../allowed-range.ts';
import { aboveAll, notOfStability, unknownStatistic } from '../deciding/rule-statistic.ts';
import { type Grounds, UNTESTED, undecidedCase, type WeighedCase, worstOf } from '../deciding/weighing.ts';
import { countUnits, fewestWhere, type PlannedBound, type Planning, UNKNOWN } from '../planned-reach.ts';
import type { RuleCase } from '../rule-case.ts';
import type { InconclusiveCode, WorstPlace } from '../verdict.ts';
import type { BoundKind } from './bound-kind.ts';
import { weighEvents } from './events.ts';
import { decideBound } from './value.ts';

/*
 * `none: change` and `min` of stability: the cells whose usual output is no longer that of the stored baseline, and the
 * share of those that still match, with one-sided bounds (Clopper and Pearson).
 */

/**
 * Another bound than `none` and `min` is refused.
 *
 * @param kind of the bound of another metric
 */
export function stability(bound: Bound, kind: BoundKind, level: StabilityLevel): BoundKind {
  const shared: BoundKind = { ...kind, drifts: () => false, lookPart: () => 'each_look' };
  const faultsOf =
    (faults: BoundKind['faults']): BoundKind['faults'] =>
    (rule, suite) => {
      const { metric, statistic } = rule;
      const isKnown = statistic === null || statistic === 'share';
      return isKnown ? faults(rule, suite) : [unknownStatistic(metric, statistic, ['share'])];
    };
  switch (bound.is) {
    case 'none':
      return {
        ...shared,
        faults: faultsOf(kind.faults),
        lookPart: () => 'events',
        plan: plannedCells,
        weigh: (ruleCase, grounds) =>
          weighCells(ruleCase, grounds, level, (changed, n) => weighEvents({ events: changed, n })),
      };
    case 'min':
      return {
        ...shared,
        faults: faultsOf(({ metric }) => (bound.value > 1 ? [aboveAll('min', metric)] : [])),
        plan: (planning) => planShare(planning, bound.value),
        weigh: (ruleCase, grounds, _kept, alpha) =>
          weighCells(ruleCase, grounds, level, (changed, n) => weighShare(n - changed, n, kind.allows, alpha)),
      };
    default:
      return { ...shared, faults: faultsOf(({ metric }) => [notOfStability(bound.is, metric)]) };
  }
}

function plannedCells({ takes }: Pick<Planning, 'takes'>) {
  return { units: 'cells', n: countUnits(takes, 'cells'), reach: UNKNOWN } as const;
}

/** Best case: every cell matches. A pass needs enough cells to bound the share. */
function planShare({ ruleCase: { variant }, takes, alpha }: Planning, least: number): PlannedBound {
  const planned = plannedCells({ takes });
  const passes = (cells: number) => least <= Math.exp(Math.log(alpha) / cells);
  if (passes(planned.n)) return planned;
  const needs = fewestWhere(passes);
  const cause = `with ${plural(planned.n, 'prompt x seed')} of ${variant.name} the rule can never pass`;
  const remedy = needs === null ? 'change its limit' : `it needs ${plural(needs, 'prompt x seed')}`;
  return { ...planned, fault: { code: 'cannot_pass', cause, remedy } };
}

/** @param weighCounted of the cells that changed, and of those that are compared */
function weighCells(
  { variant, prompts }: RuleCase,
  { against }: Grounds,
  level: StabilityLevel,
  weighCounted: (changed: number, n: number) => WeighedCase,
): WeighedCase {
  if (against === null) return undecidedCase('no_baseline', 'cells');
  const isAsked = (cell: BaselineCell) =>
    cell.variant === variant.name && (prompts === null || prompts.has(cell.prompt));
  const cells = against.cells.filter(isAsked);
  const knowledge = { limits: variant.levels, levelOf: levelsOf(against.levelOf, variant.name) };
  const result = stabilityOf(cells, against.baseline.cells, level, knowledge);
  const none = whyNone(result, level);
  if (none !== null) return undecidedCase(none, 'cells');
  const { compared: n, changed, stable } = result;
  const worst = changedPrompts(changed, cells);
  return { ...weighCounted(changed.length, n), units: 'cells', missingPairs: stable - n, worst };
}

function weighShare(matching: number, n: number, allows: AllowedRange, alpha: number): WeighedCase {
  const level = 1 - alpha;
  const range = { low: clopperPearsonLower(matching, n, level), high: clopperPearsonUpper(matching, n, level) };
  return {
    ...UNTESTED,
    decide: () => decideBound({ value: matching / n, n, range, level }, allows),
    effect: 'value',
    unit: '1',
    n,
    estimate: matching / n,
    upperBound: range.low,
    boundLevel: level,
  };
}

/** Null if there is something to count. */
function whyNone({ common, stable, compared, unknown }: Stability, level: StabilityLevel): InconclusiveCode | null {
  if (common === 0) return 'no_common_cell';
  if ((stable === 0 || compared === 0) && unknown > 0 && needsMedia(level)) return 'no_media';
  if (stable === 0) return level === 'model' ? 'no_model_reported' : 'no_stable_cell';
  return compared === 0 ? 'nothing_to_count' : null;
}

/** The prompts with the largest share of changed cells first. */
function changedPrompts(changed: Stability['changed'], cells: readonly BaselineCell[]): readonly WorstPlace[] {
  const all = groupBy(cells, ({ prompt }) => prompt);
  const places = [...groupBy(changed, ({ prompt }) => prompt)].map(([prompt, ofPrompt]) => {
    const value = ofPrompt.length / (all.get(prompt) ?? ofPrompt).length;
    return { place: { prompt, value }, worse: value };
  });
  return worstOf(places);
}
