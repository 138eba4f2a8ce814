import { levelsOf } from '../../analysis/pair-levels.ts';
import { STABILITY_METRICS } from '../../analysis/stability.ts';
import { needsMedia, type Stability, type StabilityLevel, stabilityOf } from '../../analysis/stability-of.ts';
import { compareCodeUnits, groupBy } from '../../kit/grouping.ts';
import { plural } from '../../kit/wording.ts';
import type { BaselineCell } from '../../record/kept-run.ts';
import { clopperPearsonLower, clopperPearsonUpper } from '../../statistics/rate-interval.ts';
import { aboveAll, notOfStability, unknownStatistic } from '../deciding/rule-statistic.ts';
import { UNTESTED, undecidedCase } from '../deciding/weighing.ts';
import { countUnits, fewestWhere, UNKNOWN } from '../planned-reach.ts';
import type { InconclusiveCode, WorstPlace } from '../verdict.ts';
import type { BoundKind } from './bound-kind.ts';
import { eventFaults, weighEvents } from './events.ts';
import { decideBound } from './value.ts';

/*
 * `none: change` and `min` of stability: the cells whose usual output is no longer that of the stored baseline, and the
 * share of those that still match, with one-sided bounds (Clopper and Pearson).
 */

export const stability: BoundKind = {
  takesScope: false,
  drifts: () => false,
  lookPart: ({ bound }) => (bound.is === 'none' ? 'events' : 'each_look'),
  isBeyond: () => false,

  faults: ({ metric, statistic, bound }, { metrics }) => {
    if (statistic !== null && statistic !== 'share') {
      return [unknownStatistic(metric, statistic, ['share'])];
    }
    if (bound.is === 'none') return eventFaults(metric, bound.event, metrics);
    if (bound.is !== 'min') return [notOfStability(bound.is, metric)];
    return bound.value > 1 ? [aboveAll('min', metric)] : [];
  },

  // Best case: every cell matches. A pass of `min` needs enough cells to bound the share.
  plan: ({ ruleCase: { rule, variant }, takes, alpha }) => {
    const { bound } = rule;
    const planned = { units: 'cells', n: countUnits(takes, 'cells'), reach: UNKNOWN } as const;
    if (bound.is !== 'min') return planned;
    const passes = (cells: number) => bound.value <= Math.exp(Math.log(alpha) / cells);
    if (passes(planned.n)) return planned;
    const needs = fewestWhere(passes);
    const cause = `with ${plural(planned.n, 'prompt x seed')} of ${variant.name} the rule can never pass`;
    const remedy = needs === null ? 'change its limit' : `it needs ${plural(needs, 'prompt x seed')}`;
    return { ...planned, fault: { code: 'cannot_pass', cause, remedy } };
  },

  weigh: ({ rule: { metric, bound }, variant, prompts }, { against }, _kept, alpha) => {
    const level = STABILITY_METRICS.get(metric);
    if (level === undefined) throw new Error(`${metric} is not a metric of stability`);
    if (against === null) return undecidedCase('no_baseline', 'cells');
    const isAsked = (cell: BaselineCell) =>
      cell.variant === variant.name && (prompts === null || prompts.has(cell.prompt));
    const cells = against.cells.filter(isAsked);
    const knowledge = { limits: variant.levels, levelOf: levelsOf(against.levelOf, variant.name) };
    const result = stabilityOf(cells, against.baseline.cells, level, knowledge);
    const none = whyNone(result, level);
    if (none !== null) return undecidedCase(none, 'cells');
    const { compared: n, changed, stable } = result;
    const shared = { units: 'cells', missingPairs: stable - n, worst: changedPrompts(changed, cells) } as const;
    if (bound.is === 'none') return { ...weighEvents({ events: changed.length, n }), ...shared };
    if (bound.is !== 'min') throw new Error(`${bound.is} is no bound of stability: the suite should have been refused`);
    const matching = n - changed.length;
    const confidence = 1 - alpha;
    const range = {
      low: clopperPearsonLower(matching, n, confidence),
      high: clopperPearsonUpper(matching, n, confidence),
    };
    return {
      ...UNTESTED,
      ...shared,
      decide: () =>
        decideBound({ value: matching / n, n, range, level: confidence }, { is: bound.is, value: bound.value }),
      effect: 'value',
      unit: '1',
      n,
      estimate: matching / n,
      upperBound: range.low,
      boundLevel: confidence,
    };
  },
};

/** Null if there is something to count. */
function whyNone({ common, stable, compared, unknown }: Stability, level: StabilityLevel): InconclusiveCode | null {
  if (common === 0) return 'no_common_cell';
  if ((stable === 0 || compared === 0) && unknown > 0 && needsMedia(level)) return 'no_media';
  if (stable === 0) return level === 'model' ? 'no_model_reported' : 'no_stable_cell';
  return compared === 0 ? 'nothing_to_count' : null;
}

const MOST_PLACES = 3;

/** The prompts with the largest share of changed cells first. */
function changedPrompts(changed: readonly BaselineCell[], cells: readonly BaselineCell[]): readonly WorstPlace[] {
  const all = groupBy(cells, ({ prompt }) => prompt);
  return [...groupBy(changed, ({ prompt }) => prompt)]
    .map(([prompt, cells]) => ({ prompt, value: cells.length / (all.get(prompt)?.length ?? cells.length) }))
    .sort((a, b) => b.value - a.value || compareCodeUnits(a.prompt, b.prompt))
    .slice(0, MOST_PLACES);
}
