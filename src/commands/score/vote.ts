import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import pLimit from 'p-limit';
import { accepted, checked, formatDiagnostic, refusal } from '../../kit/diagnostic.ts';
import { plural } from '../../kit/wording.ts';
import { isShardName } from '../../record/codes.ts';
import { readVotes } from '../../record/read-record.ts';
import type { Ballot, Vote, VoteLine } from '../../record/score.ts';
import { appendVotes, lockRecord, type Processes } from '../../record/store.ts';
import { readVotes as readVotesFile } from '../../score/read-values.ts';
import { loadNamed } from '../../suite/named-file.ts';
import { votingFile } from '../../view/voting-page.ts';
import { startVotingServer, type Voting } from '../../view/voting-server.ts';
import { examineStored } from '../../workflow/assess-run.ts';
import { whileLocked, withRun } from '../../workflow/with-run.ts';
import type { vote } from '../declared/record-commands.ts';
import { reportAgain } from '../display/conclude.ts';
import { misuse, NOT_EXAMINED } from '../display/print.ts';
import { reportCommand } from '../display/resumption.ts';
import { writeFile } from '../display/write-file.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';
import { complain, type Listening, listenUntilEnd, wrongListening } from '../line/listening.ts';
import {
  type BallotMaker,
  type BallotRun,
  openBallotMaker,
  openBallots,
  type Votable,
  votableBallots,
} from './make-ballots.ts';

type VoteArguments = ArgumentsOf<typeof vote>;

/** A fixed port, because a browser keeps the id of its voter for one address. */
const USUAL_PORT = 8789;
const USUAL_HOST = '127.0.0.1';

/** `serve`: ballots to serve once the run is unlocked. */
type Opened = { readonly code: ExitCode } | { readonly serve: BallotRun & Votable; readonly folder: string };

/**
 * `retake vote`: blind votes on pairs of images or videos of a run. Serves a page to vote in until it is interrupted, or
 * writes it as one file, or adds the votes that such a file saved.
 */
export async function voteCommand(args: VoteArguments, edge: Edge): Promise<ExitCode> {
  const { run, quiet, port = USUAL_PORT, host = USUAL_HOST } = args;
  checkArguments(args);
  const wrongPlace = wrongListening({ port, host });
  if (wrongPlace !== null) return misuse(edge, 'vote', wrongPlace);
  const use = { lock: lockRecord, saysLatest: !quiet };
  const opened = await withRun(run, use, edge, (folder) => voteOn(folder, args, edge));
  if ('code' in opened) return opened.code;
  const { serve, folder } = opened;
  for (const sentence of serve.leftOut) edge.say(sentence);
  const { code, added } = await serveBallots(folder, serve, { port, host }, edge);
  if (code !== EXIT.ok) return code;
  if (added.votes === 0) {
    if (!quiet) edge.say('no votes added');
    return EXIT.ok;
  }
  sayAdded(added, quiet, edge);
  const report = () =>
    whileLocked(accepted(lockRecord(folder, edge.processes)), () => reportAgain(folder, quiet, edge));
  const reported = await checked(report);
  if (!reported.ok) {
    const command = reportCommand(relative(edge.cwd, folder));
    edge.say(`the votes are kept, the reports are not updated; to update them: ${command}`);
  }
  return accepted(reported);
}

function checkArguments(args: VoteArguments): void {
  const { pairs, port, host } = args;
  const isServed = args.export === undefined && args.import === undefined;
  if (args.export !== undefined && args.import !== undefined) {
    throw refusal('--export and --import are both given', 'write the page first, then read the votes that it saved');
  }
  if (!isServed && (port !== undefined || host !== undefined)) {
    throw refusal('--port and --host cannot be used with --export or --import', 'leave them out');
  }
  if (pairs !== undefined && !(Number.isInteger(pairs) && pairs >= 1)) {
    throw refusal('--pairs must be a whole number from 1', 'give another number, or leave it out');
  }
}

async function voteOn(folder: string, args: VoteArguments, edge: Edge): Promise<Opened> {
  const { quiet, pairs } = args;
  // Before anything is written.
  const loaded = args.import === undefined ? null : accepted(await loadNamed(args.import, edge.cwd));
  const { record, complete } = await examineStored(folder, { quiet }, edge);
  if (!complete) {
    edge.say(NOT_EXAMINED);
    return { code: EXIT.incomplete };
  }
  const { id } = record.run;
  if (isShardName(id)) throw refusal(`${id} is a shard`, 'merge the shards first, then vote on the merged run');
  if (loaded !== null && !record.votes.some(({ line }) => line === 'ballot')) {
    throw refusal(`run ${id} has no ballots`, 'name the run whose page was written with retake vote RUN --export');
  }
  const opened = openBallots(folder, record, pairs);
  if (loaded !== null) return { code: await importVotes(loaded, folder, opened, args, edge) };
  const ballots = { ...opened, ...(await votableBallots(folder, opened)) };
  if (args.export !== undefined) return { code: await exportPage(args.export, folder, ballots, edge) };
  return { serve: ballots, folder };
}

async function importVotes(
  loaded: Parameters<typeof readVotesFile>[0],
  folder: string,
  { record, shown }: BallotRun,
  { quiet }: VoteArguments,
  edge: Edge,
): Promise<ExitCode> {
  const { votes, known } = accepted(readVotesFile(loaded, shown, record.votes));
  appendVotes(folder, votes);
  const voters = new Set(votes.map(({ voter }) => voter)).size;
  if (votes.length > 0) sayAdded({ votes: votes.length, voters }, quiet, edge);
  if (known > 0 && !quiet)
    edge.say(`${plural(known, 'vote')} of the file ${known === 1 ? 'was' : 'were'} already in the run`);
  return reportAgain(folder, quiet, edge);
}

async function exportPage(
  path: string,
  folder: string,
  { record, ballots, leftOut }: BallotRun & Votable,
  edge: Edge,
): Promise<ExitCode> {
  const maker = openBallotMaker(folder, { record }, edge.drain);
  try {
    const files: string[] = [];
    for (const ballot of ballots) {
      const made = await maker.make(ballot);
      if (edge.drain.aborted) return EXIT.incomplete;
      if (made !== null) files.push(made.path);
    }
    if (files.length === 0) {
      const cause = `no ballot of run ${record.run.id} can be shown: its media no longer decode`;
      throw refusal(cause, 'copy the media of the run again, or measure again');
    }
    const file = await writeFile(resolve(edge.cwd, path), votingFile(contents(files)));
    for (const sentence of leftOut) edge.say(sentence);
    const broken = ballots.length - files.length;
    if (broken > 0) edge.say(`${plural(broken, 'ballot')} left out: their media no longer decode`);
    edge.say(`a page with ${plural(files.length, 'ballot')}; to add its votes: retake vote RUN --import votes.csv`);
    edge.out.write(`${file}\n`);
    return EXIT.ok;
  } finally {
    await maker.close();
  }
}

/** One file after the other: together they may be too large for the memory. */
function* contents(files: readonly string[]): Generator<string> {
  for (const file of files) yield readFileSync(file, 'utf8');
}

function sayAdded(
  { votes, voters }: { readonly votes: number; readonly voters: number },
  quiet: boolean,
  edge: Edge,
): void {
  if (!quiet) edge.say(`${plural(votes, 'vote')} of ${plural(voters, 'voter')} added`);
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
  const maker = openBallotMaker(folder, { record }, edge.drain);
  const voting = {
    ...keeper,
    ballots: [...byId.keys()],
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
          const read = await readVotes(folder);
          if (!read.ok) throw new Error(read.diagnostics.map(formatDiagnostic).join('\n'));
          read.value.values.forEach(note);
          if (known.get(vote.voter)?.get(vote.ballot) === vote.choice) return 'kept_before';
          appendVotes(folder, [vote]);
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
