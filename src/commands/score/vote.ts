import { relative } from 'node:path';
import pLimit from 'p-limit';
import { accepted, checked, formatDiagnostic, refusal } from '../../kit/diagnostic.ts';
import { plural } from '../../kit/wording.ts';
import { isShardName } from '../../record/codes.ts';
import { appendLines } from '../../record/line-files.ts';
import { readLines } from '../../record/read-record.ts';
import type { Ballot, Vote, VoteLine } from '../../record/score.ts';
import { lockRecord, type Processes } from '../../record/store.ts';
import { startVotingServer, type Voting } from '../../view/voting-server.ts';
import { examineStored } from '../../workflow/assess-run.ts';
import { whileLocked, withRun } from '../../workflow/with-run.ts';
import type { vote } from '../declared/record-commands.ts';
import { reportAgain } from '../display/conclude.ts';
import { NOT_EXAMINED } from '../display/print.ts';
import { reportCommand } from '../display/resumption.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';
import { complain, type Listening, listenUntilEnd } from '../line/listening.ts';
import {
  type BallotMaker,
  type BallotRun,
  openBallotMaker,
  openBallots,
  type Votable,
  votableBallots,
} from './make-ballots.ts';

type VoteArguments = ArgumentsOf<typeof vote>;

/** `retake vote`: blind votes on pairs of images or videos of a run, in a page that is served until an interrupt. */
export async function voteCommand(args: VoteArguments, edge: Edge): Promise<ExitCode> {
  const { run, quiet, port, host } = args;
  if (!quiet) edge.say('preparing the pairs to vote on; the address of the page follows');
  const use = { lock: lockRecord, saysLatest: !quiet };
  const opened = await withRun(run, use, edge, (folder) => ballotsOf(folder, args, edge));
  if (opened === null) return EXIT.incomplete;
  const { folder } = opened;
  for (const sentence of opened.leftOut) edge.say(sentence);
  const { code, added } = await serveBallots(folder, opened, { port, host }, edge);
  if (code !== EXIT.ok) return code;
  if (added.votes === 0) {
    if (!quiet) edge.say('no votes added');
    return EXIT.ok;
  }
  if (!quiet) edge.say(`${plural(added.votes, 'vote')} of ${plural(added.voters, 'voter')} added`);
  const report = () =>
    whileLocked(accepted(lockRecord(folder, edge.processes)), () => reportAgain(folder, quiet, edge));
  const reported = await checked(report);
  if (!reported.ok) {
    const command = reportCommand(relative(edge.cwd, folder));
    edge.say(`the votes are kept, the reports are not updated; to update them: ${command}`);
  }
  return accepted(reported);
}

interface OpenedBallots extends BallotRun, Votable {
  readonly folder: string;
}

/** Null if an interrupt left outputs unexamined. They are served once the run is unlocked. */
async function ballotsOf(folder: string, { quiet, pairs }: VoteArguments, edge: Edge): Promise<OpenedBallots | null> {
  const { record, complete } = await examineStored(folder, { quiet }, edge);
  if (!complete) {
    edge.say(NOT_EXAMINED);
    return null;
  }
  const { id } = record.run;
  if (isShardName(id)) throw refusal(`${id} is a shard`, 'merge the shards first, then vote on the merged run');
  const opened = openBallots(folder, record, pairs);
  const { ballots, leftOut } = await votableBallots(folder, opened);
  return { ...opened, ballots, leftOut: [...opened.fewer, ...leftOut], folder };
}

/**
 * Serves ballots until it is interrupted, and prints the address. Gives how many votes of how many voters were added.
 *
 * @param folder of the run, which is not locked
 */
export async function serveBallots(
  folder: string,
  { record, ballots }: Pick<BallotRun, 'record'> & { readonly ballots: readonly Ballot[] },
  asked: Listening,
  edge: Edge,
): Promise<{ readonly code: ExitCode; readonly added: ReturnType<VoteKeeper['added']> }> {
  const byId = new Map(ballots.map((ballot) => [ballot.ballot, ballot]));
  const keeper = openVoteKeeper(folder, record.votes, edge.processes);
  const maker = openBallotMaker(folder, { record }, { idle: edge.idleExaminers, signal: edge.drain });
  const voting = {
    ...keeper,
    ballots: ballots.map(({ ballot, mirrors }) => ({ id: ballot, isCheck: mirrors !== null })),
    show: async (id: string) => {
      const ballot = byId.get(id);
      return ballot === undefined ? null : maker.make(ballot);
    },
  };
  const start = () =>
    startVotingServer({ voting, ...asked, complain: (error) => complain(edge, 'retake vote', error) });
  const tell = ({ url }: { readonly url: string }) => {
    edge.out.write(`${url}/\n`);
    if (edge.err.interactive) edge.err.write('Press Ctrl-C when all have voted.\n');
    void makeAhead(ballots, maker, edge.drain);
  };
  const exposes = 'see these prompts and outputs, and vote';
  try {
    const code = await listenUntilEnd({ command: 'vote', asked, start, exposes, tell }, edge);
    return { code, added: keeper.added() };
  } finally {
    await maker.close();
  }
}

/** Makes ballots while voters look at earlier ones. One that fails is made again when it is asked for. */
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
  const known = new Map<string, Map<string, Vote['choice']>>();
  const note = (line: VoteLine): void => {
    if (line.line === 'vote') known.set(line.voter, (known.get(line.voter) ?? new Map()).set(line.ballot, line.choice));
  };
  written.forEach(note);
  const [votes, voters] = [new Set<string>(), new Set<string>()];
  // A process can take its own lock twice.
  const one = pLimit(1);
  return {
    votedOn: (voter) => new Set(known.get(voter)?.keys()),
    keep: (vote) =>
      one(async () => {
        const lock = lockRecord(folder, processes);
        if (!lock.ok) return 'busy';
        try {
          // Another server, or an import, may have added votes since the last one.
          const read = await readLines(folder, 'votes.jsonl');
          if (!read.ok) throw new Error(read.diagnostics.map(formatDiagnostic).join('\n'));
          read.value.values.forEach(note);
          if (known.get(vote.voter)?.get(vote.ballot) === vote.choice) return 'kept_before';
          appendLines(folder, 'votes.jsonl', [vote]);
        } finally {
          lock.value.release();
        }
        note(vote);
        voters.add(vote.voter);
        votes.add(`${vote.voter} ${vote.ballot}`);
        return 'kept';
      }),
    added: () => ({ votes: votes.size, voters: voters.size }),
  };
}
