import type { VariantSummary } from '../../../analysis/analysis.ts';

/** Whether any take of these variants was delivered: without one there is no latency, no output and nothing to compare. */
export function anyDelivered(variants: readonly Pick<VariantSummary, 'outcomes'>[]): boolean {
  return variants.some(({ outcomes }) => (outcomes.ok ?? 0) > 0);
}
