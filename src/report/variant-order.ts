import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { headlineComparisons, speedOrder } from './comparison-statement.ts';
import { likenessToBaseline } from './likeness-statement.ts';

/** More variants are not in the order of the suite. */
const MOST_IN_ORDER = 8;

/** Why a variant of many comes before the others. */
type Lead = 'most_similar' | 'fastest';

export interface ComparedAnalysis {
  readonly analysis: Pick<Analysis, 'run' | 'variants' | 'likeness' | 'cells' | 'warnings'>;
  readonly comparisons: readonly Comparison[];
}

export interface OrderedVariant {
  readonly variant: VariantSummary;
  readonly lead: Lead | null;
}

/**
 * Without the baseline variant, in the order of the suite. Of many the two that say what speed costs come first: the
 * fastest of those whose outputs stay most similar, and the fastest, if they are faster than the baseline variant; then
 * the others, the faster first.
 */
export function orderedVariants(
  variants: readonly VariantSummary[],
  { analysis, comparisons }: ComparedAnalysis,
): readonly OrderedVariant[] {
  const others = variants.filter(({ baseline }) => !baseline);
  if (variants.length <= MOST_IN_ORDER) return others.map((variant) => ({ variant, lead: null }));
  const speeds = new Map(
    headlineComparisons(comparisons, analysis.run.plan.load)
      .toReversed()
      .map((comparison) => [comparison.variant, speedOrder(comparison)]),
  );
  const speedOf = ({ name }: VariantSummary) => speeds.get(name) ?? Number.MAX_VALUE;
  const bySpeed = others.toSorted((a, b) => speedOf(a) - speedOf(b));
  const faster = bySpeed.filter((variant) => speedOf(variant) < 1);
  const [fastest] = faster;
  // Sorting is stable: of equally similar ones the fastest stays first.
  const [similar] = faster.toSorted((a, b) => similarShare(b, analysis) - similarShare(a, analysis));
  const leads: readonly OrderedVariant[] = [
    ...(similar === undefined || similarShare(similar, analysis) === 0
      ? []
      : [{ variant: similar, lead: 'most_similar' as const }]),
    ...(fastest === undefined || fastest === similar ? [] : [{ variant: fastest, lead: 'fastest' as const }]),
  ];
  const rest = bySpeed.filter((variant) => leads.every((lead) => lead.variant !== variant));
  return [...leads, ...rest.map((variant) => ({ variant, lead: null }))];
}

function similarShare(variant: VariantSummary, analysis: Parameters<typeof likenessToBaseline>[1]): number {
  const tally = likenessToBaseline(variant, analysis);
  return tally === null || tally.pairs.length === 0 ? 0 : tally.similar / tally.pairs.length;
}
