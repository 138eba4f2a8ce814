import { randomBytes } from 'node:crypto';
import { refusal } from '../../kit/diagnostic.ts';
import { plural } from '../../kit/wording.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import { type DeliveredPair, deliveredPairs, shownBallots } from '../../record/output-pairs.ts';
import type { Ballot } from '../../record/score.ts';
import { appendVotes } from '../../record/store.ts';
import { drawBallots } from '../../score/draw-ballots.ts';
import { type DecodedOutput, decodedOutputs, motionOf } from './side-shape.ts';

/** How many pairs voters see of each two variants. */
const PAIRS = 40;

interface AskedBallots {
  /** How many pairs of each two variants; undefined: as drawn, else `PAIRS`. */
  readonly pairs: number | undefined;
}

export interface BallotRun {
  readonly record: StoredRun;
  /** What voters see, in this order. */
  readonly shown: readonly Ballot[];
}

/**
 * The ballots of a run. The first time they are drawn and written: what was drawn once is not drawn again, so that nobody
 * draws until the result suits. Refuses a run without a pair of different images.
 */
export function openBallots(folder: string, record: StoredRun, { pairs }: AskedBallots): BallotRun {
  const { run, facts, votes } = record;
  const outputs = decodedOutputs(facts);
  const found = deliveredPairs(record).filter((pair) => isAlike(pair, outputs));
  const seed = randomBytes(32).toString('hex');
  const isScored = record.scores.some(({ line }) => line === 'value' || line === 'preference');
  const drawn = drawBallots(found, { seed, most: pairs ?? PAIRS, scored: isScored });
  const before = shownBallots(votes, facts);
  if (votes.some(({ line }) => line === 'ballot')) {
    const wanted = shownBallots(drawn, facts);
    if (pairs === undefined || wanted.length === before.length) return { record, shown: before };
    const has = plural(before.filter(({ mirrors }) => mirrors === null).length, 'pair');
    throw refusal(
      `run ${run.id} already has ballots (${has} over all variants)`,
      'leave out --pairs: it cannot change them',
    );
  }
  const shown = shownBallots(drawn, facts);
  if (shown.length === 0) {
    const cause =
      found.length === 0
        ? `run ${run.id} has no pair to vote on: two still images or two videos of one prompt and seed`
        : `all outputs of run ${run.id} are identical to those of the baseline variant`;
    const remedy =
      found.length === 0
        ? 'measure two variants of one kind'
        : 'there is nothing to vote on; the report says that they are identical';
    throw refusal(cause, remedy);
  }
  appendVotes(folder, drawn);
  return { record: { ...record, votes: [...votes, ...drawn] }, shown };
}

/** Two images, or two videos: what gives a side away is not shown. */
function isAlike({ candidate, baseline }: DeliveredPair, outputs: ReadonlyMap<string, DecodedOutput>): boolean {
  const [one, other] = [outputs.get(candidate.sha256), outputs.get(baseline.sha256)];
  if (one === undefined || other === undefined) return false;
  const motion = motionOf(one);
  return motion !== null && motion === motionOf(other);
}
