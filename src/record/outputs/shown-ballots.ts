import type { Fact } from '../model/fact.ts';
import type { Ballot, VoteLine } from '../model/vote.ts';
import { shownImages } from './image-pairs.ts';

/** The ballots that voters see, in their order: those whose sides show the same are a tie without asking. */
export function shownBallots(votes: readonly VoteLine[], facts: readonly Fact[]): readonly Ballot[] {
  const { imageOf } = shownImages(facts);
  const shown = (sha256: string) => imageOf(sha256) ?? sha256;
  return votes.flatMap((line) =>
    line.line === 'ballot' && shown(line.left.sha256) !== shown(line.right.sha256) ? [line] : [],
  );
}
