import type { VariantSummary } from '../../../analysis/analysis.ts';

/** Whether any take of these variants was delivered: without one there is no latency, no output and nothing to compare. */
export function anyDelivered(variants: readonly Pick<VariantSummary, 'outcomes'>[]): boolean {
  return variants.some(({ outcomes }) => (outcomes.ok ?? 0) > 0);
}

/** How many starts of these variants were dropped under open load. */
export function droppedStarts(variants: readonly Pick<VariantSummary, 'outcomes'>[]): number {
  return variants.reduce((sum, { outcomes }) => sum + (outcomes.dropped ?? 0), 0);
}
