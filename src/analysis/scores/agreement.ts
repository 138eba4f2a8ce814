import type { Fact } from '../../record/fact.ts';
import type { VoteLine } from '../../record/score.ts';
import { clopperPearson } from '../../statistics/rate-interval.ts';
import { CONFIDENCE } from '../measures/confidence.ts';
import type { ScorerAgreement, VoteAgreement } from '../score-summaries.ts';
import { answersByBallot, firstBallots, type Preferences, preferredBy, votedPreferences } from './preferences.ts';

/** A score with a direction, or a judge: which of two outputs is better by it. */
export interface PreferringScorer {
  readonly metric: string;
  /** Null or undefined if a value is missing; equal values prefer neither. */
  readonly preferences: Preferences;
}

/** How often each scorer agrees with the majority of votes; null without ballots or scorers. */
export function agreementWithVotes(
  votes: readonly VoteLine[],
  facts: readonly Fact[],
  scorers: readonly PreferringScorer[],
): VoteAgreement | null {
  if (scorers.length === 0 || firstBallots(votes).length === 0) return null;
  const voted = votedPreferences(votes, facts);
  const decided = firstBallots(votes).flatMap(({ block, left, right }): DecidedPair[] => {
    const sides = [left.variant, right.variant] as const;
    const preferred = voted(block, ...sides)?.preferred ?? null;
    return preferred === null ? [] : [{ block, sides, preferred }];
  });
  return { scores: scorers.map((scorer) => agreementOf(scorer, decided)), voters: votersAgree(votes) };
}

interface DecidedPair {
  readonly block: string;
  readonly sides: readonly [one: string, other: string];
  /** The variant whose output the majority prefers. */
  readonly preferred: string;
}

/** Clopper and Pearson over pairs. Equal values raise the upper end only, so that they are no disagreement. */
function agreementOf({ metric, preferences }: PreferringScorer, decided: readonly DecidedPair[]): ScorerAgreement {
  const opinions = decided.flatMap(({ block, sides, preferred }) => {
    const answer = preferences(block, ...sides) ?? null;
    return answer === null ? [] : [{ preferred, byScorer: answer.preferred }];
  });
  const of = opinions.length;
  const agree = opinions.filter(({ preferred, byScorer }) => byScorer === preferred).length;
  const equal = opinions.filter(({ byScorer }) => byScorer === null).length;
  const ciLow = of === 0 ? null : clopperPearson(agree, of, CONFIDENCE).low;
  const ciHigh = of === 0 ? null : clopperPearson(agree + equal, of, CONFIDENCE).high;
  return {
    metric,
    agree,
    equal,
    of,
    without: decided.length - of,
    ciLow,
    ciHigh,
    finding: decided.length === 0 ? 'no_votes' : findingOf(ciLow ?? 0, ciHigh ?? 1),
  };
}

function findingOf(low: number, high: number): ScorerAgreement['finding'] {
  if (low > 0.5) return 'agrees';
  return high < 0.5 ? 'disagrees' : 'undecided';
}

/** Pairs of voters who both prefer a side of a pair; repeated pairs are left out. */
function votersAgree(votes: readonly VoteLine[]): VoteAgreement['voters'] {
  const answers = answersByBallot(votes);
  const alike = firstBallots(votes).flatMap((ballot) => {
    const preferred = (answers.get(ballot.ballot) ?? []).flatMap(({ choice }) => preferredBy(ballot, choice) ?? []);
    return preferred.flatMap((one, at) => preferred.slice(at + 1).map((other) => one === other));
  });
  return { agree: alike.filter((isAlike) => isAlike).length, of: alike.length };
}
