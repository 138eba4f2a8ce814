import { comparedWith } from '../../record/comparable.ts';
import { shownBallots } from '../../record/output-pairs.ts';
import type { Ballot } from '../../record/score.ts';
import type { StoredRun } from '../../record/stored-run.ts';
import type { VotedVariants, VoteSummary } from '../score-summaries.ts';
import { answersByBallot, firstBallots, preferredBy, votedPreferences } from './preferences.ts';

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
      const preferred = (name: string | null) =>
        opinions.filter((answer) => answer !== null && answer.preferred === name).length;
      const again = repeats.filter(isOwn).flatMap((repeat) => {
        const original = shown.get(repeat.mirrors ?? '');
        if (original === undefined) return [];
        const before = choicesOf(original);
        return [...choicesOf(repeat)].flatMap(([voter, now]) => (before.has(voter) ? [now === before.get(voter)] : []));
      });
      return [
        {
          variant: candidate.name,
          baseline: other.name,
          won: preferred(candidate.name),
          lost: preferred(other.name),
          neither: preferred(null),
          identical: ballotsOfPair.filter(({ ballot }) => !shown.has(ballot)).length,
          open: opinions.filter((answer) => answer === null).length,
          voters: new Set(ballotsOfPair.flatMap(({ ballot }) => (answers.get(ballot) ?? []).map(({ voter }) => voter)))
            .size,
          repeated: { alike: again.filter((isAlike) => isAlike).length, of: again.length },
        },
      ];
    }),
  );
  return { scored: first.scored, variants };
}
