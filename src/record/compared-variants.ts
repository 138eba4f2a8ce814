import type { RunVariant } from './run.ts';

export type ComparableVariant = Pick<RunVariant, 'name' | 'kind' | 'baseline'> & {
  /** Name of the variant whose stored baseline is sent again as this one. */
  readonly twinOf?: string | null;
};

/** A twin belongs to the stored baseline, and is no candidate. */
export function isTwin({ twinOf }: Pick<ComparableVariant, 'twinOf'>): boolean {
  return typeof twinOf === 'string';
}

/** The variant as the stored baseline declared it, sent again in the same run; null if it is not. */
export function twinOf<V extends ComparableVariant>(
  { name }: Pick<ComparableVariant, 'name'>,
  variants: readonly V[],
): V | null {
  return variants.find((variant) => variant.twinOf === name) ?? null;
}

/** Each behind its twin, in the given order: what was stored stands before what is new. */
export function behindTwins<V extends ComparableVariant>(variants: readonly V[]): readonly V[] {
  return variants
    .filter((variant) => !isTwin(variant))
    .flatMap((variant) => {
      const twin = twinOf(variant, variants);
      return twin === null ? [variant] : [twin, variant];
    });
}

export function baselineOf<V extends ComparableVariant>(
  { name, kind }: Pick<ComparableVariant, 'name' | 'kind'>,
  variants: readonly V[],
): V | null {
  const baseline = variants.find((variant) => variant.kind === kind && variant.baseline);
  return baseline === undefined || baseline.name === name ? null : baseline;
}

/** Variants to compare one with: the baseline variant of its kind first, then its twin. */
export function comparedWith<V extends ComparableVariant>(variant: V, variants: readonly V[]): readonly V[] {
  if (isTwin(variant)) return [];
  return [baselineOf(variant, variants), twinOf(variant, variants)].flatMap((other) => other ?? []);
}
