import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import type { VotedVariants } from '../../analysis/output-summaries.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { count, plural } from '../../kit/wording.ts';
import { baselineWords } from '../comparison-statement.ts';
import { preferenceComparison, preferenceSentence } from '../preference-statement.ts';

/* What people prefer, from blind votes. Only here may a report say that one output is better than another. */

/** A sentence for each variant that was voted on, without its full stop. Holds hostile text: names of variants. */
export function voteSentences(
  { votes }: Pick<Analysis, 'votes'>,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
): readonly string[] {
  const names = new Set(variants.map(({ name }) => name));
  return (votes?.variants ?? [])
    .filter(({ variant }) => names.has(variant))
    .map((voted) => voteSentence(voted, preferenceComparison(comparisons, 'score.votes', voted)));
}

function voteSentence(voted: VotedVariants, comparison: Comparison | undefined): string {
  const { variant, won, lost, neither, open, voters, repeated } = voted;
  const pairs = won + lost + neither;
  if (pairs === voted.identical) {
    const other = comparison === undefined ? voted.baseline : baselineWords(comparison);
    return open > 0
      ? `Nobody has voted on ${variant} and ${other} yet: ${plural(open, 'pair')} to vote on`
      : `${variant} and ${other} are identical in ${plural(pairs, 'pair')}: nothing to vote on`;
  }
  const alike = `${count(repeated.alike)} of ${plural(repeated.of, 'repeated answer')} alike`;
  return preferenceSentence(voted, comparison, {
    prefers: voters === 1 ? 'One voter prefers' : 'People prefer',
    doubts: 'Votes do not tell',
    evidence: [...(voters === 1 ? [] : [plural(voters, 'voter')]), ...(repeated.of === 0 ? [] : [alike])],
    open: 'without a vote',
  });
}
