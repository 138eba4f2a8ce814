import { groupBy } from '../../kit/grouping.ts';
import type { VoteChoice } from '../../record/codes.ts';
import { comparedWith } from '../../record/compared-variants.ts';
import { shownBallots } from '../../record/delivered-pairs.ts';
import type { Fact } from '../../record/fact.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import type { Ballot, VoteLine } from '../../record/score.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { clopperPearson } from '../../statistics/rate-interval.ts';
import type { JudgeAgreement, VoteAgreement, VotedVariants, VoteSummary } from '../output-summaries.ts';

export interface Preference {
  readonly preferred: string | null;
}

/** The answer for two variants in a block, in either order; null if asked and unanswered, undefined if not asked. */
export type Preferences = (block: string, one: string, other: string) => Preference | null | undefined;

/** How often each of two variants is preferred. @param answers of their pairs; null if asked and unanswered */
export function countPreferences(answers: readonly (Preference | null)[], variant: string, baseline: string) {
  const preferring = (name: string | null) =>
    answers.filter((answer) => answer !== null && answer.preferred === name).length;
  const [won, lost, neither] = [preferring(variant), preferring(baseline), preferring(null)];
  return { variant, baseline, won, lost, neither, open: answers.length - won - lost - neither };
}

/** The preference of the majority. Identical outputs are a tie, and repeated pairs count once. */
export function votedPreferences(votes: readonly VoteLine[], facts: readonly Fact[]): Preferences {
  const shown = new Set(shownBallots(votes, facts).map(({ ballot }) => ballot));
  const answers = answersByBallot(votes);
  const preferenceByPair = new Map(
    firstBallots(votes).map((ballot): [string, Preference | null] => {
      const { block, left, right } = ballot;
      const key = pairKey(block, left.variant, right.variant);
      if (!shown.has(ballot.ballot)) return [key, { preferred: null }];
      return [key, majorityOf(ballot, answers.get(ballot.ballot) ?? [])];
    }),
  );
  return (block, one, other) => preferenceByPair.get(pairKey(block, one, other));
}

function firstBallots(votes: readonly VoteLine[]): readonly Ballot[] {
  return votes.flatMap((line) => (line.line === 'ballot' && line.mirrors === null ? [line] : []));
}

/** An answer of a voter; a skipped ballot has none. */
interface VoterAnswer {
  readonly voter: string;
  readonly choice: Exclude<VoteChoice, 'skip'>;
}

/** The answers of each ballot; the last of each voter counts. */
function answersByBallot(votes: readonly VoteLine[]): ReadonlyMap<string, readonly VoterAnswer[]> {
  const last = new Map<string, VoterAnswer & { readonly ballot: string }>();
  for (const line of votes) {
    if (line.line !== 'vote') continue;
    const key = `${line.ballot} ${line.voter}`;
    if (line.choice === 'skip') last.delete(key);
    else last.set(key, { ...line, choice: line.choice });
  }
  return groupBy([...last.values()], ({ ballot }) => ballot);
}

/** The variant that an answer prefers; null: neither. */
function preferredBy({ left, right }: Ballot, choice: VoterAnswer['choice']): string | null {
  return choice === 'neither' ? null : { left, right }[choice].variant;
}

function majorityOf(ballot: Ballot, answers: readonly VoterAnswer[]): Preference | null {
  if (answers.length === 0) return null;
  const preferred = [ballot.left.variant, ballot.right.variant].find(
    (variant) => 2 * answers.filter(({ choice }) => preferredBy(ballot, choice) === variant).length > answers.length,
  );
  return { preferred: preferred ?? null };
}

/** The same for both orders of two variants. */
export function pairKey(block: string, one: string, other: string): string {
  return JSON.stringify([block, ...(one < other ? [one, other] : [other, one])]);
}

export interface PreferringJudge {
  readonly metric: string;
  readonly preferences: Preferences;
}

/** How often each judge agrees with the majority of votes; null without ballots or judges. */
export function agreementWithVotes(
  votes: readonly VoteLine[],
  facts: readonly Fact[],
  judges: readonly PreferringJudge[],
): VoteAgreement | null {
  if (judges.length === 0 || firstBallots(votes).length === 0) return null;
  const voted = votedPreferences(votes, facts);
  const decided = firstBallots(votes).flatMap(({ block, left, right }): DecidedPair[] => {
    const sides = [left.variant, right.variant] as const;
    const preferred = voted(block, ...sides)?.preferred ?? null;
    return preferred === null ? [] : [{ block, sides, preferred }];
  });
  return { judges: judges.map((judge) => agreementOf(judge, decided)), voters: votersAgree(votes) };
}

interface DecidedPair {
  readonly block: string;
  readonly sides: readonly [one: string, other: string];
  /** The variant whose output the majority prefers. */
  readonly preferred: string;
}

/** Clopper and Pearson over pairs. Ties of the judge raise the upper end only, so that they are no disagreement. */
function agreementOf({ metric, preferences }: PreferringJudge, decided: readonly DecidedPair[]): JudgeAgreement {
  const opinions = decided.flatMap(({ block, sides, preferred }) => {
    const answer = preferences(block, ...sides) ?? null;
    return answer === null ? [] : [{ preferred, byJudge: answer.preferred }];
  });
  const of = opinions.length;
  const agree = opinions.filter(({ preferred, byJudge }) => byJudge === preferred).length;
  const equal = opinions.filter(({ byJudge }) => byJudge === null).length;
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

function findingOf(low: number, high: number): JudgeAgreement['finding'] {
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

export function summariseVotes({ run, votes, facts }: Pick<StoredRun, 'run' | 'votes' | 'facts'>): VoteSummary | null {
  const ballots = firstBallots(votes);
  const [first] = ballots;
  if (first === undefined) return null;
  const preferences = votedPreferences(votes, facts);
  const answers = answersByBallot(votes);
  const shown = new Map(shownBallots(votes, facts).map((ballot) => [ballot.ballot, ballot]));
  const repeats = [...shown.values()].filter(({ mirrors }) => mirrors !== null);
  const choicesOf = (ballot: Ballot) =>
    new Map((answers.get(ballot.ballot) ?? []).map(({ voter, choice }) => [voter, preferredBy(ballot, choice)]));
  const variants = run.variants.flatMap((candidate) =>
    comparedWith(candidate, run.variants).flatMap((other): VotedVariants[] => {
      const isOwn = ({ left, right }: Ballot) =>
        [left, right].every(({ variant }) => variant === candidate.name || variant === other.name);
      const ballotsOfPair = ballots.filter(isOwn);
      if (ballotsOfPair.length === 0) return [];
      const opinions = ballotsOfPair.map(({ block }) => preferences(block, candidate.name, other.name) ?? null);
      const { open, ...preferred } = countPreferences(opinions, candidate.name, other.name);
      const again = repeats.filter(isOwn).flatMap((repeat) => {
        const original = shown.get(repeat.mirrors ?? '');
        if (original === undefined) return [];
        const before = choicesOf(original);
        return [...choicesOf(repeat)].flatMap(([voter, now]) => (before.has(voter) ? [now === before.get(voter)] : []));
      });
      return [
        {
          ...preferred,
          identical: ballotsOfPair.filter(({ ballot }) => !shown.has(ballot)).length,
          open,
          voters: new Set(ballotsOfPair.flatMap(({ ballot }) => (answers.get(ballot) ?? []).map(({ voter }) => voter)))
            .size,
          repeated: { alike: again.filter((isAlike) => isAlike).length, of: again.length },
        },
      ];
    }),
  );
  return { scored: first.scored, variants };
}
