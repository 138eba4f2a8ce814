import type { Analysis, VariantSummary } from '../../analysis/analysis.ts';
import type { VotedVariants } from '../../analysis/scores/vote-summary.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { pairedRiseTest, riseInterval } from '../../statistics/rates/rise-test.ts';
import { firstWhere } from '../../statistics/samples/first-where.ts';
import { count, plural } from '../../text/wording.ts';
import { baselineWords } from './comparison-statement.ts';

/* What people prefer, from blind votes. Only here may a report say that one output is better than another. */

/** More would be as good as none. */
const MOST_FURTHER = 1000;

/** A sentence for each variant that was voted on, without its full stop. Holds hostile text: names of variants. */
export function voteSentences(
  { votes }: Pick<Analysis, 'votes'>,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
): readonly string[] {
  const names = new Set(variants.map(({ name }) => name));
  return (votes?.variants ?? [])
    .filter(({ variant }) => names.has(variant))
    .flatMap((voted) => {
      const comparison = comparisons.find(
        ({ metric, scope, units, variant, baseline }) =>
          metric === 'score.votes' && scope.of === units && variant === voted.variant && baseline === voted.baseline,
      );
      return [voteSentence(voted, comparison)];
    });
}

/**
 * `people prefer standard to fast-lcm: 24 of 40 pairs, 10 the other way, 6 neither (net 35 points, 95 % interval 12 to
 * 55; 2 voters; 3 of 4 repeated pairs answered alike)`
 */
function voteSentence(voted: VotedVariants, comparison: Comparison | undefined): string {
  const { variant, won, lost, neither, open } = voted;
  const pairs = won + lost + neither;
  const other = comparison === undefined ? voted.baseline : baselineWords(comparison);
  if (won + lost + neither === voted.identical) {
    const all = plural(open, 'pair');
    return open > 0
      ? `Nobody has voted on ${variant} and ${other} yet: ${all} to vote on`
      : `${variant} and ${other} are identical in ${plural(pairs, 'pair')}: nothing to vote on`;
  }
  const rest = open === 0 ? '' : `; ${plural(open, 'pair')} without a vote`;
  if (comparison === undefined || comparison.finding === 'undecided' || comparison.finding === 'too_few') {
    const said = `Votes do not tell ${variant} and ${other} apart: ${count(won)} of ${plural(pairs, 'pair')} for ${variant}, ${count(lost)} for ${other}, ${count(neither)} neither`;
    return `${said}${evidence(voted, comparison, 'lost')}${rest}${further(voted)}`;
  }
  const isWorse = comparison.finding === 'higher';
  const [better, worse] = isWorse ? [other, variant] : [variant, other];
  const [more, fewer] = isWorse ? [lost, won] : [won, lost];
  return `People prefer ${better} to ${worse}: ${count(more)} of ${plural(pairs, 'pair')}, ${count(fewer)} the other way, ${count(neither)} neither${evidence(voted, comparison, isWorse ? 'lost' : 'won')}${rest}`;
}

function evidence(
  { voters, repeated }: VotedVariants,
  comparison: Comparison | undefined,
  side: 'won' | 'lost',
): string {
  const sign = side === 'lost' ? 1 : -1;
  const { value = null, ciLow = null, ciHigh = null } = comparison ?? {};
  const points = (share: number) => count(Math.round(sign * 100 * share));
  const [low, high] = side === 'lost' ? [ciLow, ciHigh] : [ciHigh, ciLow];
  const interval =
    low === null || high === null ? '' : `, 95 % interval ${signed(points(low))} to ${signed(points(high))}`;
  const alike =
    repeated.of === 0 ? '' : `; ${count(repeated.alike)} of ${plural(repeated.of, 'repeated pair')} answered alike`;
  return ` (${value === null ? '' : `net ${signed(points(value))} points${interval}; `}${plural(voters, 'voter')}${alike})`;
}

function signed(text: string): string {
  return text.replace('-', '−');
}

/** How many more pairs would decide at this net, if their shares stay as they are. */
function further({ won, lost, neither }: VotedVariants): string {
  const pairs = won + lost + neither;
  if (won === lost) return '';
  const decides = (more: number) => {
    const scale = (pairs + more) / pairs;
    const test = pairedRiseTest({
      pairs: pairs + more,
      candidateOnly: Math.round(scale * lost),
      baselineOnly: Math.round(scale * won),
    });
    const interval = test === null ? null : riseInterval(test, 0.95);
    return interval !== null && (interval.low > 0 || interval.high < 0);
  };
  if (!decides(MOST_FURTHER)) return `; at this net, more than ${count(MOST_FURTHER)} further pairs would decide`;
  return `; at this net, about ${plural(firstWhere(1, MOST_FURTHER, decides), 'further pair')} would decide`;
}
