import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { EXAMINE_LIMITS_MS, openExaminers } from '../../examine/examiners.ts';
import { refusal } from '../../kit/diagnostic.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { plural } from '../../kit/wording.ts';
import { dataUrl } from '../../markup/data-url.ts';
import { loadLibav } from '../../media/libav.ts';
import type { ImageBox, VideoShape } from '../../media/shown-shape.ts';
import { isStored } from '../../record/output-files.ts';
import type { Ballot } from '../../record/score.ts';
import type { ShownBallot } from '../../view/shown-ballot.ts';
import type { BallotFile } from '../../view/voting-server.ts';
import type { BallotRun } from './open-ballots.ts';
import { boxOf, commonShape, type DecodedOutput, decodedOutputs, motionOf } from './side-shape.ts';

export interface BallotMaker {
  /**
   * The JSON of a `ShownBallot`, without `<`, in a file that stays until `close`; made once. Null if a file of the run
   * is gone, or does not decode any longer.
   */
  readonly make: (ballot: Ballot) => Promise<BallotFile | null>;
  readonly close: () => Promise<void>;
}

/**
 * Makes what voters see, one ballot at a time: PNG or H.264 without metadata, both sides of a ballot in one shape and
 * padded to one length. Files, because ballots of videos are too large to be held in memory.
 *
 * @param folder of the run
 */
export function openBallotMaker(
  folder: string,
  { record: { facts, run } }: Pick<BallotRun, 'record'>,
  signal: AbortSignal,
): BallotMaker {
  const decoded = decodedOutputs(facts);
  const prompts = new Map(run.prompts.map((prompt) => [prompt.id, prompt]));
  const to = mkdtempSync(join(tmpdir(), 'retake-'));
  const examiners = openExaminers({ workers: 1, timeLimitMs: EXAMINE_LIMITS_MS, signal });
  const madeOf = async (
    fact: DecodedOutput,
    how: { readonly box: ImageBox } | { readonly video: VideoShape },
  ): Promise<Buffer | null> => {
    const made = await examiners.show(folder, fact, { to, frames: 1, worsening: null, original: false, ...how });
    return made !== null && 'images' in made ? taken(made.video ?? made.images[0]) : null;
  };
  const shownOf = async ({ ballot, prompt: id, left, right }: Ballot): Promise<ShownBallot | null> => {
    const prompt = prompts.get(id);
    const facts = [decoded.get(left.sha256), decoded.get(right.sha256)] as const;
    if (prompt === undefined || facts[0] === undefined || facts[1] === undefined) return null;
    const { box, video } = commonShape(facts[0], facts[1]);
    const how = video === null ? { box } : { video };
    const sides = [await madeOf(facts[0], how), await madeOf(facts[1], how)] as const;
    if (sides[0] === null || sides[1] === null) return null;
    const inputFact = prompt.image === null ? undefined : decoded.get(prompt.image);
    const input = inputFact === undefined ? null : await madeOf(inputFact, { box: boxOf([inputFact]) });
    const [mime, pad] = video === null ? (['image/png', padPng] as const) : (['video/mp4', padMp4] as const);
    const [one, other] = pad(sides[0], sides[1]);
    return {
      ballot,
      prompt: prompt.text,
      input: input === null ? null : dataUrl('image/png', input),
      fps: video?.fps ?? null,
      left: dataUrl(mime, one),
      right: dataUrl(mime, other),
    };
  };
  const makeNow = async (ballot: Ballot): Promise<BallotFile | null> => {
    const shown = signal.aborted ? null : await shownOf(ballot);
    if (shown === null) return null;
    const path = join(to, `${ballot.ballot}.json`);
    // `<` alone could end the element of a page that the text stands in.
    writeFileSync(path, JSON.stringify(shown).replaceAll('<', '\\u003c'), { mode: 0o600 });
    return { path, bytes: statSync(path).size };
  };
  const one = pLimit(1);
  const made = new Map<string, Promise<BallotFile | null>>();
  return {
    make: (ballot) => {
      const making = made.get(ballot.ballot) ?? one(() => makeNow(ballot));
      made.set(ballot.ballot, making);
      making.catch(() => made.delete(ballot.ballot));
      return making;
    },
    close: async () => {
      one.clearQueue();
      await examiners.close();
      rmSync(to, { recursive: true, force: true });
    },
  };
}

function taken(path: string | undefined): Buffer | null {
  if (path === undefined) return null;
  const bytes = readFileSync(path);
  rmSync(path, { force: true });
  return bytes;
}

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

type PaddedSides = readonly [Buffer, Buffer];

/** Two PNG files of one length: what follows the end of a PNG is passed over. */
export function padPng(one: Buffer, other: Buffer): PaddedSides {
  const length = Math.max(one.length, other.length);
  const padded = (png: Buffer): Buffer => Buffer.concat([png, Buffer.alloc(length - png.length)]);
  return [padded(one), padded(other)];
}

/** Size and name of a box. */
const BOX_HEAD = 8;

/** Two MP4 files of one length: each ends with a box of free space (ISO/IEC 14496-12, section 8.1.2). */
export function padMp4(one: Buffer, other: Buffer): PaddedSides {
  const length = Math.max(one.length, other.length) + BOX_HEAD;
  const padded = (mp4: Buffer): Buffer => {
    const free = Buffer.alloc(length - mp4.length);
    free.writeUInt32BE(free.length);
    free.write('free', 4, 'latin1');
    return Buffer.concat([mp4, free]);
  };
  return [padded(one), padded(other)];
}
