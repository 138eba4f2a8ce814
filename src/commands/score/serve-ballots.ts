import { once } from 'node:events';
import pLimit from 'p-limit';
import { formatDiagnostic } from '../../kit/diagnostic.ts';
import { isLoopback } from '../../kit/loopback.ts';
import { readVotes } from '../../record/read-record.ts';
import type { Ballot, Vote, VoteLine } from '../../record/score.ts';
import { appendVotes, lockRecord, type Processes } from '../../record/store.ts';
import { startVotingServer, type Voting } from '../../view/voting-server.ts';
import { type Edge, printSentence } from '../../workflow/edge.ts';
import { complain, type Listening, listenFault } from '../line/listening.ts';
import { type BallotMaker, openBallotMaker } from './make-ballots.ts';
import type { BallotRun } from './open-ballots.ts';

/**
 * Serves ballots until it is interrupted, and prints the address. Gives how many votes of how many voters were added.
 * A sentence where the system does not let it listen.
 *
 * @param folder of the run, which is not locked
 */
export async function serveBallots(
  folder: string,
  { record, ballots }: Pick<BallotRun, 'record'> & { readonly ballots: readonly Ballot[] },
  asked: Listening,
  edge: Edge,
): Promise<ReturnType<VoteKeeper['added']> | string> {
  const byId = new Map(ballots.map((ballot) => [ballot.ballot, ballot]));
  const keeper = openVoteKeeper(folder, record.votes, edge.processes);
  const maker = openBallotMaker(folder, { record }, edge.drain);
  const voting = {
    ...keeper,
    ballots: [...byId.keys()],
    show: async (id: string) => {
      const ballot = byId.get(id);
      return ballot === undefined ? null : maker.make(ballot);
    },
  };
  try {
    const server = await startVotingServer({
      voting,
      ...asked,
      complain: (error) => complain(edge, 'retake vote', error),
    });
    if (!isLoopback(asked.host)) {
      printSentence(
        edge.err,
        'warning: everybody who can reach this machine can see these prompts and outputs, and vote',
      );
    }
    edge.out.write(`${server.url}/\n`);
    if (edge.err.interactive) edge.err.write('Press Ctrl-C when all have voted.\n');
    void makeAhead(ballots, maker, edge.drain);
    if (!edge.drain.aborted) await once(edge.drain, 'abort');
    await server.close();
    return keeper.added();
  } catch (error) {
    const fault = listenFault(error, asked);
    if (fault === null) throw error;
    return fault;
  } finally {
    await maker.close();
  }
}

/** In their order, while voters look at those before them. One that fails is made again once it is asked for. */
async function makeAhead(ballots: readonly Ballot[], { make }: BallotMaker, signal: AbortSignal): Promise<void> {
  for (const ballot of ballots) {
    if (signal.aborted) return;
    await make(ballot).catch(() => null);
  }
}

interface VoteKeeper extends Pick<Voting, 'votedOn' | 'keep'> {
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
