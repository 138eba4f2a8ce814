import { refusal } from '../../kit/diagnostic.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { plural } from '../../kit/wording.ts';
import { loadLibav } from '../../media/libav.ts';
import { isStored } from '../../record/output-files.ts';
import type { Ballot } from '../../record/score.ts';
import type { BallotRun } from './open-ballots.ts';
import { decodedOutputs, motionOf } from './side-shape.ts';

export interface Votable {
  /** In the order that voters see them. */
  readonly ballots: readonly Ballot[];
  /** Sentences: which are left out, and why. */
  readonly leftOut: readonly string[];
}

/**
 * The ballots whose media are there, and can be shown on this machine. Refuses a run without any.
 *
 * @param folder of the run
 */
export async function votableBallots(folder: string, { record: { facts, run }, shown }: BallotRun): Promise<Votable> {
  const outputs = decodedOutputs(facts);
  const isVideo = ({ left }: Ballot): boolean => {
    const output = outputs.get(left.sha256);
    return output !== undefined && motionOf(output) === 'video';
  };
  const libav = shown.some(isVideo) ? await loadLibav() : null;
  const missing = libav === null || libav.ok ? null : decodeReason({ ...libav.reason, needed: 'video' });
  const there = shown.filter(({ left, right }) => [left, right].every(({ sha256 }) => isStored(folder, sha256)));
  const ballots = there.filter((ballot) => missing === null || !isVideo(ballot));
  const all = plural(shown.length, 'ballot');
  if (there.length === 0) throw refusal(`the media of all ${all} of run ${run.id} are gone`, VOTE_EARLIER);
  if (ballots.length === 0) throw refusal(`the videos of run ${run.id} cannot be shown: ${missing}`, INSTALL);
  const gone = shown.length - there.length;
  const videos = there.length - ballots.length;
  return {
    ballots,
    leftOut: [
      ...(gone === 0 ? [] : [`${plural(gone, 'ballot')} left out: the media are gone`]),
      ...(videos === 0 ? [] : [`${plural(videos, 'ballot')} of videos left out: ${missing}; ${INSTALL}`]),
    ],
  };
}

const VOTE_EARLIER = 'vote before retake prune deletes the media; votes that were given stay valid';
const INSTALL = 'run npm install --include=optional';
