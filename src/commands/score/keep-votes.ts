import pLimit from 'p-limit';
import { formatDiagnostic } from '../../kit/diagnostic.ts';
import { readVotes } from '../../record/read-record.ts';
import type { Vote, VoteLine } from '../../record/score.ts';
import { appendVotes, lockRecord, type Processes } from '../../record/store.ts';
import type { Voting } from '../../view/voting-server.ts';

export interface VoteKeeper extends Pick<Voting, 'votedOn' | 'keep'> {
  /** Since it was opened. */
  readonly added: () => { readonly votes: number; readonly voters: number };
}

/**
 * Keeps votes in the record, which is locked for each alone: between two votes, others may report, or vote.
 *
 * @param folder of the run
 * @param written what the run has
 */
export function openVoteKeeper(folder: string, written: readonly VoteLine[], processes: Processes): VoteKeeper {
  const known = new Map<string, Set<string>>();
  const note = ({ voter, ballot }: Vote): void => {
    known.set(voter, (known.get(voter) ?? new Set()).add(ballot));
  };
  for (const line of written) if (line.line === 'vote') note(line);
  const hasVoted = ({ voter, ballot }: Vote): boolean => known.get(voter)?.has(ballot) === true;
  const voters = new Set<string>();
  let votes = 0;
  // A process can take its own lock twice.
  const one = pLimit(1);
  return {
    votedOn: (voter) => known.get(voter) ?? new Set(),
    keep: (vote) =>
      one(async () => {
        if (hasVoted(vote)) return 'voted_before';
        const lock = lockRecord(folder, processes);
        if (!lock.ok) return 'busy';
        try {
          // Another server, or an import, may have added votes since the last one.
          const read = await readVotes(folder);
          if (!read.ok) throw new Error(read.diagnostics.map(formatDiagnostic).join('\n'));
          for (const line of read.value.values) if (line.line === 'vote') note(line);
          if (hasVoted(vote)) return 'voted_before';
          appendVotes(folder, [vote]);
        } finally {
          lock.value.release();
        }
        note(vote);
        voters.add(vote.voter);
        votes += 1;
        return 'kept';
      }),
    added: () => ({ votes, voters: voters.size }),
  };
}
