import { once } from 'node:events';
import { isLoopback } from '../../kit/loopback.ts';
import type { Ballot } from '../../record/score.ts';
import { startVotingServer } from '../../view/voting-server.ts';
import { type Edge, printSentence } from '../../workflow/edge.ts';
import { complain, type Listening, listenFault } from '../line/listening.ts';
import { openVoteKeeper, type VoteKeeper } from './keep-votes.ts';
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
