import type { RunVariant } from './run.ts';

export type ComparableVariant = Pick<RunVariant, 'name' | 'kind' | 'baseline'> & {
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

/** What a variant is compared with: the baseline variant of its kind first, then its twin. */
export function comparedWith<V extends ComparableVariant>(variant: V, variants: readonly V[]): readonly V[] {
  if (isTwin(variant)) return [];
  return [baselineOf(variant, variants), twinOf(variant, variants)].flatMap((each) => each ?? []);
}
