import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { isTwin } from '../../record/output-pairs.ts';
import { headlineComparisons, speedHeadline } from '../comparison-statement.ts';
import { likenessClause, likenessToBaseline } from '../likeness-statement.ts';
import { sweepSteps } from '../load-words.ts';

/** What the speed of a variant costs, in one sentence. */
export interface Headline {
  readonly variant: string;
  /** `fast is 2.1x as fast as standard`; null where it is compared with nothing. */
  readonly speed: string | null;
  /** `12 of 12 images stay visually similar`; null where it is compared with nothing. */
  readonly likeness: string | null;
  /** With its full stop: `fast is 2.1x as fast; 12 of 12 images stay visually similar.` */
  readonly sentence: string;
}

/**
 * For each variant that is compared with the baseline variant of its kind, in the order of the suite. A sweep has a
 * speed at each step, which its table shows. Holds hostile text: names of variants.
 */
export function headlinesOf(
  variants: readonly VariantSummary[],
  {
    analysis,
    comparisons,
  }: {
    readonly analysis: Pick<Analysis, 'run' | 'variants' | 'likeness' | 'cells'>;
    readonly comparisons: readonly Comparison[];
  },
): readonly Headline[] {
  const { load } = analysis.run.plan;
  const speeds = headlineComparisons(comparisons, load).filter(
    ({ baselineRun, step }) => baselineRun === null && step === null,
  );
  return variants.flatMap((variant): Headline[] => {
    if (isTwin(variant)) return [];
    const comparison = speeds.find((each) => each.variant === variant.name);
    const tally = likenessToBaseline(variant, analysis);
    const speed = comparison === undefined || sweepSteps(load) !== null ? null : speedHeadline(comparison);
    const likeness = tally === null ? null : likenessClause(tally);
    if (speed === null && likeness === null) return [];
    const sentence = speed === null ? `${variant.name}: ${likeness}.` : `${[speed, likeness ?? []].flat().join('; ')}.`;
    return [{ variant: variant.name, speed, likeness, sentence }];
  });
}
