import { groupBy } from '../../kit/grouping.ts';
import type { VoteChoice } from '../../record/codes.ts';
import type { Fact } from '../../record/fact.ts';
import { shownBallots } from '../../record/output-pairs.ts';
import type { Ballot, VoteLine } from '../../record/score.ts';

export interface Preference {
  readonly preferred: string | null;
}

/** The answer for two variants in a block, in either order; null if asked and unanswered, undefined if not asked. */
export type Preferences = (block: string, one: string, other: string) => Preference | null | undefined;

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

export function firstBallots(votes: readonly VoteLine[]): readonly Ballot[] {
  return votes.flatMap((line) => (line.line === 'ballot' && line.mirrors === null ? [line] : []));
}

/** An answer of a voter; a skipped ballot has none. */
export interface VoterAnswer {
  readonly voter: string;
  readonly choice: Exclude<VoteChoice, 'skip'>;
}

/** The answers of each ballot; the first of each voter counts. */
export function answersByBallot(votes: readonly VoteLine[]): ReadonlyMap<string, readonly VoterAnswer[]> {
  const first = new Map<string, VoterAnswer & { readonly ballot: string }>();
  for (const line of votes) {
    if (line.line !== 'vote' || line.choice === 'skip') continue;
    const { ballot, voter, choice } = line;
    const key = `${ballot} ${voter}`;
    if (!first.has(key)) first.set(key, { ballot, voter, choice });
  }
  return groupBy([...first.values()], ({ ballot }) => ballot);
}

/** The variant that an answer prefers; null: neither. */
export function preferredBy({ left, right }: Ballot, choice: VoterAnswer['choice']): string | null {
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
