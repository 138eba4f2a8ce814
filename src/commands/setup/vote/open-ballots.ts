import { randomBytes } from 'node:crypto';
import type { StoredRun } from '../../../record/model/stored-run.ts';
import type { Ballot } from '../../../record/model/vote.ts';
import { type DeliveredPair, deliveredPairs } from '../../../record/outputs/delivered-pairs.ts';
import { shownBallots } from '../../../record/outputs/shown-ballots.ts';
import { appendVotes } from '../../../record/store.ts';
import { drawBallots } from '../../../score/votes/draw-ballots.ts';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';
import { plural } from '../../../text/wording.ts';

/** How many pairs voters see of each two variants. */
const PAIRS = 40;

interface AskedBallots {
  /** How many pairs of each two variants; undefined: as drawn, else `PAIRS`. */
  readonly pairs: number | undefined;
}

/** A record with its ballots. */
export interface BallotRun {
  readonly record: StoredRun;
  /** What voters see, in this order. */
  readonly shown: readonly Ballot[];
}

/**
 * The ballots of a run. The first time they are drawn and written: what was drawn once is not drawn again, so that nobody
 * draws until the result suits. Refuses a run without a pair of different images.
 */
export function openBallots(folder: string, record: StoredRun, { pairs }: AskedBallots): Checked<BallotRun> {
  const { run, facts, votes } = record;
  const found = deliveredPairs(record).filter((pair) => isStill(pair, record));
  const seed = randomBytes(32).toString('hex');
  const isScored = record.scores.some(({ line }) => line === 'value' || line === 'preference');
  const drawn = drawBallots(found, { seed, most: pairs ?? PAIRS, scored: isScored });
  const before = shownBallots(votes, facts);
  if (votes.some(({ line }) => line === 'ballot')) {
    const wanted = shownBallots(drawn, facts);
    if (pairs === undefined || wanted.length === before.length) return { ok: true, value: { record, shown: before } };
    const has = plural(before.filter(({ mirrors }) => mirrors === null).length, 'pair');
    return refused(`the ballots of run ${run.id} were drawn before, with ${has}`, 'leave out --pairs');
  }
  const shown = shownBallots(drawn, facts);
  if (shown.length === 0) {
    const cause =
      found.length === 0
        ? `run ${run.id} has no images of two variants for the same prompt and seed`
        : `all images of run ${run.id} are identical to those of the baseline variant`;
    const remedy =
      found.length === 0
        ? 'measure two variants of one kind, one of them with baseline: true'
        : 'there is nothing to vote on; the report says that they are identical';
    return refused(cause, remedy);
  }
  appendVotes(folder, drawn);
  return { ok: true, value: { record: { ...record, votes: [...votes, ...drawn] }, shown } };
}

/** Voters compare images that do not move. */
function isStill({ candidate, baseline }: DeliveredPair, { facts }: StoredRun): boolean {
  return [candidate, baseline].every(({ sha256 }) =>
    facts.some(
      (fact) =>
        fact.fact === 'output' &&
        fact.sha256 === sha256 &&
        fact.decodes === true &&
        fact.video === null &&
        fact.frames === 1,
    ),
  );
}
