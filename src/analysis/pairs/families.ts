import { benjaminiHochberg } from '../../statistics/multiple-tests.ts';
import { fewestForSignedRank } from '../../statistics/signed-rank.ts';
import type { Comparison } from '../comparison.ts';
import { CONFIDENCE } from '../confidence.ts';
import { groupBy } from '../grouping.ts';

/** Of a smaller family each interval decides by itself: by convention nobody adjusts one or two comparisons. */
const FEWEST_ADJUSTED = 3;

/**
 * The fewest units whose signed rank test can tell one of so many candidates apart if no other one differs: 6 of one
 * or two candidates, 7 of three, 9 of ten.
 */
export function fewestToTell(candidates: number): number {
  return fewestForSignedRank((1 - CONFIDENCE) / 2 / (candidates < FEWEST_ADJUSTED ? 1 : candidates));
}

/**
 * Adjusts p by Benjamini and Hochberg's procedure over the family of each comparison: the candidates that are compared
 * by one metric. Whoever looks at all of them is told of a difference that is none in about 5 % of runs. A comparison
 * without a p counts as one that finds nothing. Findings follow: of a family of three or more, a difference is told
 * where its interval excludes equality and its adjusted p is at most 5 %.
 */
export function adjustedByFamily(comparisons: readonly Comparison[]): readonly Comparison[] {
  const found = new Map<Comparison, Comparison>();
  for (const family of groupBy(comparisons, familyOf).values()) {
    const adjusted = benjaminiHochberg(family.map(({ p }) => p ?? 1));
    for (const [at, comparison] of family.entries()) {
      const { p, finding, notes } = comparison;
      const pAdjusted = p === null || family.length < FEWEST_ADJUSTED ? null : (adjusted[at] ?? 1);
      const isOpen = pAdjusted !== null && pAdjusted > 1 - CONFIDENCE;
      found.set(comparison, {
        ...comparison,
        family: family.length,
        pAdjusted,
        finding: isOpen ? 'undecided' : finding,
        // What is not told with flagged takes is not told without them either.
        notes: isOpen ? notes.filter(({ code }) => code !== 'flagged_disagree') : notes,
      });
    }
  }
  return comparisons.map((comparison) => found.get(comparison) ?? comparison);
}

/** Of stored baselines each is of one variant: they answer another question than the baseline variant. */
function familyOf({ metric, statistic, kind, step, scope, baselineRun }: Comparison): string {
  return JSON.stringify([metric, statistic, kind, step, scope.of, baselineRun]);
}
