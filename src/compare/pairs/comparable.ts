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
 * What an independent unit is under a load: the block at concurrency 1. Above it, and at every step of a sweep, the blocks of a
 * round share its slices, and the round is the unit; of open load too, where calls overlap. Under open load, and in sequential
 * order above concurrency 1, a variant has one slice, so that there is one round and no interval: whatever drifts between two
 * variants is in their difference. In sequential order at concurrency 1 the unit is the cell pair, and drift is in its interval.
 */
export function unitKindOf(load: Load): UnitKind {
  if (load.mode === 'open' || load.steps !== null || load.concurrency > 1) return 'rounds';
  return load.order === 'sequential' ? 'cells' : 'blocks';
}
