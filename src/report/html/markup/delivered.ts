import type { VariantSummary } from '../../../analysis/analysis.ts';

/** Without a delivered take there is no latency, no output and nothing to compare. */
export function anyDelivered(variants: readonly Pick<VariantSummary, 'outcomes'>[]): boolean {
  return variants.some(({ outcomes }) => (outcomes.ok ?? 0) > 0);
}
