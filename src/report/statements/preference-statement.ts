import type { Comparison } from '../../analysis/comparison.ts';
import type { JudgedVariants } from '../../analysis/score-summaries.ts';
import { count, plural } from '../../kit/wording.ts';
import { furtherPairs } from '../../statistics/rise-test.ts';
import { baselineWords } from './comparison-statement.ts';

/* What voters or a judge prefer, of the outputs of two variants. */

/** What is preferred of a variant and of the one that it is compared with. */
type Preferred = Omit<JudgedVariants, 'consistent'>;

/** More would be as good as none. */
const MOST_FURTHER = 1000;

/** 4 times in 5, as in a plan. */
const POWER = 0.8;

export interface PreferringParty {
  /** `People prefer` */
  readonly prefers: string;
  /** `Votes do not tell` */
  readonly doubts: string;
  /** What a reader must know of the answers, such as how many voters there are; none: empty. */
  readonly evidence: readonly string[];
  /** Of pairs without an answer. */
  readonly open: string;
}

/** The comparison of what each of two variants lost, over the pairs that were asked about. */
export function preferenceComparison(
  comparisons: readonly Comparison[],
  metric: string,
  { variant, baseline }: Pick<Preferred, 'variant' | 'baseline'>,
): Comparison | undefined {
  return comparisons.find(
    (each) =>
      each.metric === metric && each.scope.of === each.units && each.variant === variant && each.baseline === baseline,
  );
}

/**
 * `People prefer standard to fast-lcm: 24 of 40 pairs, 10 the other way, 6 neither (net 35 points, 95 % interval 12 to
 * 55; 2 voters)`. Without a full stop. Holds hostile text: names of variants.
 */
export function preferenceSentence(
  preferred: Preferred,
  comparison: Comparison | undefined,
  { prefers, doubts, evidence, open: without }: PreferringParty,
): string {
  const { variant, won, lost, neither, open } = preferred;
  const pairs = won + lost + neither;
  const other = comparison === undefined ? preferred.baseline : baselineWords(comparison);
  const rest = open === 0 ? '' : `; ${plural(open, 'pair')} ${without}`;
  if (comparison === undefined || comparison.finding === 'undecided' || comparison.finding === 'too_few') {
    const said = `${doubts} ${variant} and ${other} apart: ${count(won)} of ${plural(pairs, 'pair')} for ${variant}, ${count(lost)} for ${other}, ${count(neither)} neither`;
    const side = (comparison?.value ?? 0) < 0 ? 'won' : 'lost';
    const forWhom = comparison?.value ? ` for ${side === 'won' ? variant : other}` : '';
    return `${said}${bracketed(comparison, side, forWhom, evidence)}${rest}${comparison?.pAdjusted == null ? further(preferred) : ''}`;
  }
  const isWorse = comparison.finding === 'higher';
  const [better, worse] = isWorse ? [other, variant] : [variant, other];
  const [more, fewer] = isWorse ? [lost, won] : [won, lost];
  const said = `${prefers} ${better} to ${worse}: ${count(more)} of ${plural(pairs, 'pair')}, ${count(fewer)} the other way, ${count(neither)} neither`;
  return `${said}${bracketed(comparison, isWorse ? 'lost' : 'won', '', evidence)}${rest}`;
}

/** @param forWhom where the sentence does not say whom the net favours */
function bracketed(
  comparison: Comparison | undefined,
  side: 'won' | 'lost',
  forWhom: string,
  evidence: readonly string[],
): string {
  const sign = side === 'lost' ? 1 : -1;
  const { value = null, ciLow = null, ciHigh = null } = comparison ?? {};
  // An end that is not 0 is not written as 0: that would say that the two are not told apart.
  const points = (share: number) => {
    const whole = Math.round(sign * 100 * share);
    return whole === 0 && share !== 0 ? (sign * 100 * share).toPrecision(1) : count(whole);
  };
  const [low, high] = side === 'lost' ? [ciLow, ciHigh] : [ciHigh, ciLow];
  const interval =
    low === null || high === null ? '' : `, 95 % interval ${signed(points(low))} to ${signed(points(high))}`;
  const all = [...(value === null ? [] : [`net ${signed(points(value))} points${forWhom}${interval}`]), ...evidence];
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
}

function signed(text: string): string {
  return text.replace('-', '−');
}

/** How many more pairs would mostly decide at this net, if their shares stay as they are. */
function further({ won, lost, neither }: Preferred): string {
  if (won === lost) return '';
  const pairs = won + lost + neither;
  const fewest = furtherPairs({ pairs, candidateOnly: lost, baselineOnly: won }, POWER, MOST_FURTHER);
  const number =
    fewest === null ? `more than ${count(MOST_FURTHER)} further pairs` : `about ${plural(fewest, 'further pair')}`;
  return `; if this net holds, ${number} would tell them apart 4 times in 5`;
}
