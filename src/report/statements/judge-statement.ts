import type { Comparison } from '../../analysis/comparison.ts';
import type { JudgeSummary, ScorerSummary } from '../../analysis/score-summaries.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { count, listed, plural, shareInterval, usd } from '../../kit/wording.ts';
import { baselineWords } from './comparison-statement.ts';
import { preferenceComparison, preferenceSentence } from './preference-statement.ts';

/*
 * What a judge prefers: a model that sees two outputs in both orders. No sentence says that an output is better: only
 * votes do.
 */

/** A sentence for each variant that it has answers on, without its full stop. Holds hostile text: names of variants. */
export function judgeSentences(
  { metrics: [metric = ''], judge }: Pick<ScorerSummary, 'metrics' | 'judge'>,
  comparisons: readonly Comparison[],
  variants: readonly Pick<VariantSummary, 'name'>[],
): readonly string[] {
  if (judge === undefined) return [];
  const names = new Set(variants.map(({ name }) => name));
  return judge.variants
    .filter(({ variant }) => names.has(variant))
    .flatMap((judged) => {
      const { won, lost, neither, identical, variant, baseline } = judged;
      const pairs = won + lost + neither;
      const comparison = preferenceComparison(comparisons, metric, judged);
      if (pairs === 0) return [];
      if (pairs === identical) {
        const other = comparison === undefined ? baseline : baselineWords(comparison);
        return [`${metric}: ${variant} and ${other} are identical in ${plural(pairs, 'pair')}: nothing to judge`];
      }
      return [
        preferenceSentence(judged, comparison, {
          prefers: `${metric}: the judge prefers`,
          doubts: `${metric}: the judge does not tell`,
          evidence: [
            `the same answer in both orders for ${count(judged.consistent.alike)} of ${count(judged.consistent.of)}`,
          ],
          open: 'without an answer',
        }),
      ];
    });
}

/** `the same answer in both orders for 37 of 40 pairs` */
export function consistentWords({ consistent: { alike, of } }: JudgeSummary): string {
  return `the same answer in both orders for ${count(alike)} of ${plural(of, 'pair')}`;
}

/** `of 97 answers that name one output, 52 name the one shown first [43.2 – 63.9 %]`; null without an answer. */
export function firstPlaceWords({ first: { chosen, of, ciLow, ciHigh } }: JudgeSummary): string | null {
  if (of === 0 || ciLow === null || ciHigh === null) return null;
  return `of ${plural(of, 'answer')} that name one output, ${count(chosen)} name the one shown first [${shareInterval(ciLow, ciHigh)}]`;
}

/** `176 requests, at most $0.704` */
export function spendWords({ requests, usd: spent }: JudgeSummary): string {
  const cost = spent === null ? 'of unknown cost' : spent === 0 ? 'at no cost' : `at most ${usd(spent)}`;
  return `${plural(requests, 'request')}, ${cost}`;
}

/** Whether a judge compares outputs of its own server; null if not. */
export function sameOriginWords({ sameOrigin }: JudgeSummary): string | null {
  if (sameOrigin.length === 0) return null;
  return `Its server also serves ${listed(sameOrigin)}: a model may prefer outputs of its own family`;
}
