import type { Analysis } from '../../analysis/analysis.ts';
import type { ScorerAgreement, VoteAgreement } from '../../analysis/score-summaries.ts';
import { count, plural, shareInterval } from '../../kit/wording.ts';

/* Whether a score prefers what people prefer. */

type Agreed = Pick<Analysis, 'agreement'>;

/** A sentence without its full stop; null of a score of which something else was found. */
export function agreementSentence(analysis: Agreed, metric: string, finding: 'agrees' | 'disagrees'): string | null {
  const found = agreementOf(analysis, metric);
  if (found?.finding !== finding) return null;
  const is =
    finding === 'agrees'
      ? 'prefers the same side as the votes'
      : 'disagrees with the votes: it prefers the same side only';
  return [`${metric} ${is} ${pairWords(found)}`, ...voterWords(analysis)].join('; ');
}

export interface AgreementWords {
  readonly finding: ScorerAgreement['finding'];
  /** `Agrees with the votes` */
  readonly said: string;
  /** What follows it: ` in 31 of 40 pairs [61.5 – 89.2 %]`, and what a reader must know of it; empty without a vote. */
  readonly evidence: string;
}

/** Of any score with a direction; null without ballots. */
export function agreementWords(analysis: Agreed, metric: string): AgreementWords | null {
  const found = agreementOf(analysis, metric);
  if (found === null) return null;
  const { finding, equal, of, without } = found;
  const evidence = [
    ...(of > 0 ? [`${finding === 'agrees' ? '' : 'the same side '}${pairWords(found)}`] : []),
    ...(equal > 0 ? [`${count(equal)} of these ${equal === 1 ? 'is a tie' : 'are ties'} of the scorer`] : []),
    ...(without > 0 ? [`${plural(without, of > 0 ? 'further pair' : 'pair')} without a score`] : []),
    ...voterWords(analysis),
  ].join('; ');
  if (finding === 'no_votes') return { finding, said: SAID[finding], evidence: '' };
  return { finding, said: SAID[finding], evidence: `${finding === 'agrees' ? ' ' : ': '}${evidence}` };
}

const SAID: Readonly<Record<ScorerAgreement['finding'], string>> = {
  agrees: 'Agrees with the votes',
  disagrees: 'Disagrees with the votes',
  undecided: 'Agreement with the votes is undecided',
  no_votes: 'No vote confirms it',
};

function agreementOf({ agreement }: Agreed, metric: string): ScorerAgreement | null {
  return agreement?.scores.find((each) => each.metric === metric) ?? null;
}

function pairWords({ agree, of, ciLow, ciHigh }: ScorerAgreement): string {
  const interval = ciLow === null || ciHigh === null ? '' : ` [${shareInterval(ciLow, ciHigh)}]`;
  return `in ${count(agree)} of ${plural(of, 'pair')}${interval}`;
}

function voterWords({ agreement }: { readonly agreement?: VoteAgreement }): readonly string[] {
  const { agree, of } = agreement?.voters ?? { agree: 0, of: 0 };
  return of === 0 ? [] : [`two voters chose the same side in ${count(agree)} of ${plural(of, 'comparison')}`];
}
