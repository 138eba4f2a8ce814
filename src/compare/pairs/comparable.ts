import type { VariantSummary } from '../../analysis/analysis.ts';
import type { Load } from '../../suite/format/load.ts';
import type { UnitKind } from './units.ts';

export type ComparableVariant = Pick<VariantSummary, 'name' | 'kind' | 'baseline'> & {
  /** Names the variant whose stored baseline's twin this is. */
  readonly twinOf?: string | null;
};

/** A twin is of the stored baseline, and is no candidate. */
export function isTwin({ twinOf }: Pick<ComparableVariant, 'twinOf'>): boolean {
  return typeof twinOf === 'string';
}

/** The variant as the stored baseline declared it, sent again in the same run; null where it is not. */
export function twinOf<V extends ComparableVariant>(
  { name }: Pick<ComparableVariant, 'name'>,
  variants: readonly V[],
): V | null {
  return variants.find((variant) => variant.twinOf === name) ?? null;
}

export function baselineOf<V extends ComparableVariant>(
  { name, kind }: Pick<ComparableVariant, 'name' | 'kind'>,
  variants: readonly V[],
): V | null {
  const baseline = variants.find((variant) => variant.kind === kind && variant.baseline);
  return baseline === undefined || baseline.name === name ? null : baseline;
}

/**
 * The independent unit under a load.
 * - Concurrency 1: the block; in sequential order the cell pair, so that drift is in its interval.
 * - Above it, at steps of a sweep, and under open load: the round, since blocks of a round share its slices.
 *
 * Under open load, and in sequential order above concurrency 1, a variant has one slice. One round gives no interval,
 * and drift between two variants is in their difference.
 */
export function unitKindOf(load: Load): UnitKind {
  if (load.mode === 'open' || load.steps !== null || load.concurrency > 1) return 'rounds';
  return load.order === 'sequential' ? 'cells' : 'blocks';
}
