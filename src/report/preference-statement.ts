import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import type {
  JudgeAgreement,
  JudgedVariants,
  JudgeSummary,
  ScorerSummary,
  VoteAgreement,
} from '../analysis/output-summaries.ts';
import { overallComparisons } from '../analysis/pair-units.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { count, listed, plural, shareInterval, usd } from '../kit/wording.ts';
import { POWER } from '../statistics/detectable-shift.ts';
import { furtherPairs } from '../statistics/rise-test.ts';
import { sidesOf } from './comparison-statement.ts';

/* What voters or a judge prefer, of the outputs of two variants. */

/** What is preferred of a variant and of the one that it is compared with. */
type Preferred = Omit<JudgedVariants, 'consistent'>;

const MOST_FURTHER = 1000;

export interface PreferringParty {
  /** `People prefer` */
  readonly prefers: string;
  /** `Votes do not tell` */
  readonly doubts: string;
  /** What a reader must know of the answers, such as how many voters there are; none: empty. */
  readonly evidence: readonly string[];
  readonly open: string;
}

/** The comparison of what each of two variants lost, over the pairs that were asked about. */
export function preferenceComparison(
  comparisons: readonly Comparison[],
  metric: string,
  { variant, baseline }: Pick<Preferred, 'variant' | 'baseline'>,
): Comparison | undefined {
  return overallComparisons(comparisons, metric).find(
    (comparison) => comparison.variant === variant && comparison.baseline === baseline,
  );
}

/**
 * `People prefer standard to fast-lcm: 24 of 40 pairs, ...`, without a full stop. Holds hostile text: names.
 *
 * @param isBrief one line: `Votes do not tell other and usual apart: 3 : 8 pairs, 5 neither`
 */
export function preferenceSentence(
  preferred: Preferred,
  comparison: Comparison | undefined,
  { prefers, doubts, evidence, open: without }: PreferringParty,
  isBrief: boolean,
): string {
  const { variant, won, lost, neither, open } = preferred;
  const pairs = won + lost + neither;
  const other = comparison === undefined ? preferred.baseline : sidesOf(comparison)[1];
  const rest = open === 0 ? '' : `; ${plural(open, 'pair')} ${without}`;
  if (comparison === undefined || comparison.finding === 'undecided' || comparison.finding === 'too_few') {
    if (isBrief) return `${doubts} ${variant} and ${other} apart: ${ratioOf(won, lost, neither)}`;
    const doubt = `${doubts} ${variant} and ${other} apart: ${count(won)} of ${plural(pairs, 'pair')} for ${variant}, ${count(lost)} for ${other}, ${count(neither)} neither`;
    const side = (comparison?.value ?? 0) < 0 ? 'won' : 'lost';
    const forWhom = comparison?.value ? ` for ${side === 'won' ? variant : other}` : '';
    return `${doubt}${bracketed(comparison, side, forWhom, evidence)}${rest}${comparison?.pAdjusted == null ? further(preferred) : ''}`;
  }
  const isWorse = comparison.finding === 'higher';
  const [better, worse] = isWorse ? [other, variant] : [variant, other];
  const [more, fewer] = isWorse ? [lost, won] : [won, lost];
  if (isBrief) return `${prefers} ${better} to ${worse}: ${ratioOf(more, fewer, neither)}`;
  const preference = `${prefers} ${better} to ${worse}: ${count(more)} of ${plural(pairs, 'pair')}, ${count(fewer)} the other way, ${count(neither)} neither`;
  return `${preference}${bracketed(comparison, isWorse ? 'lost' : 'won', '', evidence)}${rest}`;
}

/** `24 : 11 pairs, 5 neither`: for the first named, and for the second. */
function ratioOf(first: number, second: number, neither: number): string {
  return `${count(first)} : ${count(second)} pairs${neither === 0 ? '' : `, ${count(neither)} neither`}`;
}

/** @param forWhom where the sentence does not say whom the lead favours */
function bracketed(
  comparison: Comparison | undefined,
  side: 'won' | 'lost',
  forWhom: string,
  evidence: readonly string[],
): string {
  const sign = side === 'lost' ? 1 : -1;
  const { value = null, ciLow = null, ciHigh = null } = comparison ?? {};
  // An end that is not 0 is not written as 0: that would say that there is no difference.
  const points = (share: number) => {
    const whole = Math.round(sign * 100 * share);
    return whole === 0 && share !== 0 ? (sign * 100 * share).toPrecision(1) : count(whole);
  };
  const [low, high] = side === 'lost' ? [ciLow, ciHigh] : [ciHigh, ciLow];
  const interval =
    low === null || high === null ? '' : `, 95 % interval ${signed(points(low))} to ${signed(points(high))}`;
  const all = [
    ...(value === null ? [] : [`a lead of ${signed(points(value))} points${forWhom}${interval}`]),
    ...evidence,
  ];
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
}

function signed(text: string): string {
  return text.replace('-', '−');
}

/** How many more pairs would mostly decide at this lead, if their shares stay as they are. */
function further({ won, lost, neither }: Preferred): string {
  if (won === lost) return '';
  const pairs = won + lost + neither;
  const fewest = furtherPairs({ pairs, candidateOnly: lost, baselineOnly: won }, POWER, MOST_FURTHER);
  const number =
    fewest === null ? `more than ${count(MOST_FURTHER)} further pairs` : `about ${plural(fewest, 'further pair')}`;
  return `; if this lead holds, ${number} would tell them apart 4 times in 5`;
}

/*
 * What a judge prefers: a model that sees two outputs in both orders. No sentence says that an output is better: only
 * votes do.
 */

/** A sentence for each variant that it has answers on, without its full stop. Holds hostile text: names of variants. */
export function judgeSentences(
  { metrics: [metric = ''], judge }: Pick<ScorerSummary, 'metrics' | 'judge'>,
  comparisons: readonly Comparison[],
  variants: readonly Pick<VariantSummary, 'name'>[],
  isBrief = false,
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
        const other = comparison === undefined ? baseline : sidesOf(comparison)[1];
        return [`${metric}: ${variant} and ${other} are identical in ${plural(pairs, 'pair')}: nothing to judge`];
      }
      return [
        preferenceSentence(
          judged,
          comparison,
          {
            prefers: `${metric}: the judge prefers`,
            doubts: `${metric}: the judge does not tell`,
            evidence: [
              `the same answer in both orders for ${count(judged.consistent.alike)} of ${count(judged.consistent.of)}`,
            ],
            open: 'without an answer',
          },
          isBrief,
        ),
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

/* Whether a judge prefers what people prefer. */

type Agreed = Pick<Analysis, 'agreement'>;

interface AgreementSentence {
  readonly finding: JudgeAgreement['finding'];
  /** Without its full stop. */
  readonly sentence: string;
}

/** With all that a reader must know of it; null without ballots. */
export function agreementSentence({ agreement }: Agreed, metric: string): AgreementSentence | null {
  const judge = agreement?.judges.find((each) => each.metric === metric);
  if (judge === undefined) return null;
  const { finding, equal, of, without } = judge;
  const said = SAID[finding](metric);
  if (finding === 'no_votes') return { finding, sentence: said };
  const isOpen = finding === 'undecided';
  const evidence = [
    ...(of > 0 ? [`${isOpen ? 'the same side ' : ''}${pairWords(judge)}`] : []),
    ...(equal > 0 ? [`${count(equal)} of these ${equal === 1 ? 'is a tie' : 'are ties'} of the judge`] : []),
    ...(without > 0 ? [`${plural(without, of > 0 ? 'further pair' : 'pair')} without an answer`] : []),
    ...voterWords({ agreement }),
  ].join('; ');
  return { finding, sentence: `${said}${isOpen ? ': ' : ' '}${evidence}` };
}

const SAID: Readonly<Record<JudgeAgreement['finding'], (metric: string) => string>> = {
  agrees: (metric) => `${metric} prefers the same side as the votes`,
  disagrees: (metric) => `${metric} disagrees with the votes: it prefers the same side only`,
  undecided: (metric) => `The votes do not tell whether ${metric} agrees with them`,
  no_votes: (metric) => `No vote confirms ${metric}`,
};

function pairWords({ agree, of, ciLow, ciHigh }: JudgeAgreement): string {
  const interval = ciLow === null || ciHigh === null ? '' : ` [${shareInterval(ciLow, ciHigh)}]`;
  return `in ${count(agree)} of ${plural(of, 'pair')}${interval}`;
}

function voterWords({ agreement }: { readonly agreement?: VoteAgreement | undefined }): readonly string[] {
  const { agree, of } = agreement?.voters ?? { agree: 0, of: 0 };
  return of === 0 ? [] : [`two voters chose the same side in ${count(agree)} of ${plural(of, 'comparison')}`];
}
