import type { LevelLimits } from '../../media/difference.ts';
import { HELD_LEVELS, type HeldLevel } from '../../media/level.ts';
import { levelsOf } from '../cells/pair-levels.ts';
import type { AgainstBaseline } from './against-baseline.ts';
import { stabilityOf } from './stability.ts';

/** How the usual outputs of a variant compare with those of the stored baseline, at a level. */
export interface VariantStability {
  readonly variant: string;
  readonly level: HeldLevel;
  readonly cells: number;
  /** Cells that the stored baseline has too. */
  readonly common: number;
  /** Common cells that are stable in the baseline at the level. */
  readonly stable: number;
  /** Stable cells whose usual outputs were compared. In the others nothing was delivered, or it was not decoded. */
  readonly compared: number;
  /** Prompt and seed of each compared cell whose usual output does not match. */
  readonly changed: readonly { readonly prompt: string; readonly seed: number | null }[];
}

interface VariantWithLevels {
  readonly name: string;
  readonly levels: Pick<LevelLimits, 'related'>;
}

/**
 * The stability of each measured variant, at the level that tells most. Variants sent again from the baseline have
 * none.
 */
export function stabilityOfVariants(
  against: AgainstBaseline,
  variants: readonly VariantWithLevels[],
): readonly VariantStability[] {
  return variants.flatMap((variant) => tellsMost(stabilityAt(HELD_LEVELS, variant, against)));
}

/** The stability of a variant at each of these levels; empty for a variant without a cell. */
export function stabilityAt(
  levels: readonly HeldLevel[],
  { name, levels: limits }: VariantWithLevels,
  { baseline, cells, levelOf }: Pick<AgainstBaseline, 'baseline' | 'cells' | 'levelOf'>,
): readonly VariantStability[] {
  const own = cells.filter(({ variant }) => variant === name);
  if (own.length === 0) return [];
  const knowledge = { limits, levelOf: levelsOf(levelOf, name) };
  return levels.map((level) => {
    const { common, stable, compared, changed } = stabilityOf(own, baseline.cells, level, knowledge);
    const changedCells = changed.map(({ prompt, seed }) => ({ prompt, seed }));
    return { variant: name, level, cells: own.length, common, stable, compared, changed: changedCells };
  });
}

/**
 * The strictest level that all cells hold, among the levels that compare the most cells. Where no level is held it is
 * `pixel`, because equal pixels may have other bytes. `related` counts only where no other level compares anything:
 * related outputs may be those of another model.
 */
export function tellsMost(found: readonly VariantStability[]): readonly VariantStability[] {
  const alike = found.filter(({ level, compared }) => level !== 'related' && compared > 0);
  const usable = alike.length > 0 ? alike : found;
  const most = Math.max(...usable.map(({ compared }) => compared));
  const counted = usable.filter(({ compared }) => compared === most);
  const told =
    most === 0
      ? counted.toSorted((a, b) => b.stable - a.stable)[0]
      : (counted.find(({ changed }) => changed.length === 0) ??
        counted.find(({ level }) => level !== 'byte') ??
        counted[0]);
  return told === undefined ? [] : [told];
}
