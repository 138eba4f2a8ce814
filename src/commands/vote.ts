import { resolve } from 'node:path';
import { lockRecord } from '../record/lock.ts';
import { isShardName } from '../record/model/run-name.ts';
import { appendVotes } from '../record/store.ts';
import { readVotes } from '../score/votes/read-votes.ts';
import { type Checked, refused } from '../suite/document/diagnostic.ts';
import { loadValues } from '../suite/load.ts';
import { plural } from '../text/wording.ts';
import { votingPage } from '../view/voting/voting-page.ts';
import { exitCodeOf, NOT_EXAMINED } from './display/print.ts';
import { reportAgain } from './display/report-again.ts';
import { writeFile } from './display/write-file.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from './edge.ts';
import { examineStored } from './setup/assess-run.ts';
import { type BallotRun, openBallots } from './setup/vote/open-ballots.ts';
import { showBallots } from './setup/vote/show-ballots.ts';
import { withRun } from './setup/with-run.ts';

interface VoteArguments {
  readonly run: string;
  /** The page to write. */
  readonly export?: string | undefined;
  /** A CSV file of votes. */
  readonly import?: string | undefined;
  readonly pairs?: number | undefined;
  readonly quiet: boolean;
}

/** `retake vote`: blind votes on pairs of images of a run: a page to vote in, and the votes that it saved. */
export async function voteCommand(args: VoteArguments, edge: Edge): Promise<ExitCode> {
  const { run, quiet } = args;
  if ((args.export === undefined) === (args.import === undefined)) {
    const cause =
      args.export === undefined ? 'neither --export nor --import is given' : '--export and --import are both given';
    return exitCodeOf(
      refused(cause, 'write the page with --export votes.html, then read the votes with --import votes.csv'),
      edge,
    );
  }
  if (args.pairs !== undefined && !(Number.isInteger(args.pairs) && args.pairs >= 1)) {
    return exitCodeOf(refused('--pairs must be a whole number from 1', 'give another number, or leave it out'), edge);
  }
  const use = { lock: lockRecord, saysLatest: !quiet };
  return exitCodeOf(await withRun(run, use, edge, (folder) => voteOn(folder, args, edge)), edge);
}

async function voteOn(folder: string, args: VoteArguments, edge: Edge): Promise<Checked<ExitCode>> {
  const { quiet, pairs } = args;
  // Before anything is written.
  const loaded = args.import === undefined ? null : await loadValues(args.import, edge.cwd);
  if (loaded?.ok === false) return loaded;
  const examined = await examineStored(folder, { quiet }, edge);
  if (!examined.ok) return examined;
  const { record, complete } = examined.value;
  if (!complete) {
    printSentence(edge.err, NOT_EXAMINED);
    return { ok: true, value: EXIT.incomplete };
  }
  const { id } = record.run;
  if (isShardName(id)) return refused(`${id} is a shard`, 'merge the shards first, then vote on the merged run');
  if (loaded !== null && !record.votes.some(({ line }) => line === 'ballot')) {
    return refused(`run ${id} has no ballots`, 'name the run whose page was written with retake vote RUN --export');
  }
  const opened = openBallots(folder, record, { pairs });
  if (!opened.ok) return opened;
  if (loaded !== null) return importVotes(loaded.value, folder, opened.value, args, edge);
  return exportPage(args.export ?? '', folder, opened.value, edge);
}

async function importVotes(
  loaded: Parameters<typeof readVotes>[0],
  folder: string,
  { record, shown }: BallotRun,
  { quiet }: VoteArguments,
  edge: Edge,
): Promise<Checked<ExitCode>> {
  const read = readVotes(loaded, shown, record.votes);
  if (!read.ok) return read;
  const { votes, known } = read.value;
  appendVotes(folder, votes);
  if (!quiet) {
    const voters = plural(new Set(votes.map(({ voter }) => voter)).size, 'voter');
    if (votes.length > 0) printSentence(edge.err, `${plural(votes.length, 'vote')} of ${voters} added`);
    if (known > 0) printSentence(edge.err, `the run already has ${plural(known, 'vote')} of the file`);
  }
  return reportAgain(folder, quiet, edge);
}

async function exportPage(path: string, folder: string, opened: BallotRun, edge: Edge): Promise<Checked<ExitCode>> {
  const { record, shown } = opened;
  const { ballots, gone } = await showBallots(folder, opened, edge.drain);
  if (edge.drain.aborted) return { ok: true, value: EXIT.incomplete };
  if (ballots.length === 0) {
    const cause = `the images of all ${plural(shown.length, 'ballot')} of run ${record.run.id} are gone`;
    return refused(cause, 'vote before retake prune deletes the media; votes that were given stay valid');
  }
  const file = await writeFile(resolve(edge.cwd, path), votingPage(ballots));
  if (gone > 0) printSentence(edge.err, `${plural(gone, 'ballot')} left out: the images are gone`);
  printSentence(
    edge.err,
    `a page with ${plural(ballots.length, 'ballot')}; to add its votes: retake vote RUN --import votes.csv`,
  );
  edge.out.write(`${file}\n`);
  return { ok: true, value: EXIT.ok };
}
