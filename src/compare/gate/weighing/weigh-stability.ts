import { levelsOf } from '../../../analysis/cells/pair-levels.ts';
import { compareCodeUnits } from '../../../analysis/code-units.ts';
import { CONFIDENCE } from '../../../analysis/confidence.ts';
import { groupBy } from '../../../analysis/grouping.ts';
import type { HeldLevel } from '../../../media/compare/level.ts';
import type { BaselineCell } from '../../../record/model/baseline.ts';
import { clopperPearsonLower, clopperPearsonUpper } from '../../../statistics/rates/clopper-pearson.ts';
import type { AgainstBaseline } from '../../baseline/against-baseline.ts';
import { needsMedia, type Stability, stabilityOf } from '../../baseline/stability.ts';
import type { RuleCase } from '../rule-cases.ts';
import type { InconclusiveCode, WorstPlace } from '../verdict.ts';
import { decideBound, decideNone } from './bound.ts';
import { UNTESTED, type WeighedCase } from './weighed-case.ts';

/**
 * Weighs a rule about stability. With `none: change` it counts the cells whose usual output changed; with `min` the share of
 * those that still match, by one-sided bounds (Clopper and Pearson).
 *
 * @param confidence of these bounds
 */
export function weighStability(
  { rule: { bound }, variant, prompts }: RuleCase,
  level: HeldLevel,
  against: AgainstBaseline | null,
  confidence: number,
): WeighedCase {
  if (against === null) return undecided('no_baseline');
  const kept = (cell: BaselineCell) => cell.variant === variant.name && (prompts === null || prompts.has(cell.prompt));
  const { cells, baseline } = against;
  const knowledge = { limits: variant.levels, levelOf: levelsOf(against.levelOf, variant.name) };
  const found = stabilityOf(cells.filter(kept), baseline.cells, level, knowledge);
  const none = whyNone(found, level);
  if (none !== null) return undecided(none);
  const { compared: n, changed, stable } = found;
  const counted = { ...UNTESTED, effect: 'value', unit: '1', n, units: 'cells', missingPairs: stable - n } as const;
  const worst = changedPrompts(changed, cells.filter(kept));
  if (bound.is === 'none') {
    return {
      ...counted,
      decide: () => decideNone({ events: changed.length, n }),
      estimate: changed.length / n,
      upperBound: clopperPearsonUpper(changed.length, n, CONFIDENCE),
      worst,
    };
  }
  if (bound.is !== 'min') throw new Error(`${bound.is} is no bound of stability: the suite should have been refused`);
  const matching = n - changed.length;
  const range = {
    low: clopperPearsonLower(matching, n, confidence),
    high: clopperPearsonUpper(matching, n, confidence),
  };
  return {
    ...counted,
    decide: () =>
      decideBound({ value: matching / n, n, range, level: confidence }, { is: bound.is, value: bound.value }),
    estimate: matching / n,
    upperBound: range.low,
    boundLevel: confidence,
    worst,
  };
}

/** Null where something can be counted. */
function whyNone({ common, stable, compared, unknown }: Stability, level: HeldLevel): InconclusiveCode | null {
  if (common === 0) return 'no_common_cell';
  if ((stable === 0 || compared === 0) && unknown > 0 && needsMedia(level)) return 'no_media';
  if (stable === 0) return 'no_stable_cell';
  return compared === 0 ? 'nothing_to_count' : null;
}

function undecided(code: InconclusiveCode): WeighedCase {
  return {
    ...UNTESTED,
    decide: () => ({ verdict: 'inconclusive', code }),
    effect: 'value',
    unit: '1',
    estimate: null,
    upperBound: null,
    n: 0,
    units: 'cells',
    worst: [],
  };
}

const MOST_PLACES = 3;

/** The prompts with the largest share of cells that changed, the largest first. */
function changedPrompts(changed: readonly BaselineCell[], cells: readonly BaselineCell[]): readonly WorstPlace[] {
  const all = groupBy(cells, ({ prompt }) => prompt);
  return [...groupBy(changed, ({ prompt }) => prompt)]
    .map(([prompt, own]) => ({ prompt, value: own.length / (all.get(prompt)?.length ?? own.length) }))
    .sort((a, b) => b.value - a.value || compareCodeUnits(a.prompt, b.prompt))
    .slice(0, MOST_PLACES);
}
