import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { ExaminerSource } from '../../examine/examiners.ts';
import { refusal } from '../../kit/diagnostic.ts';
import { groupBy } from '../../kit/grouping.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { count, listedInShort, plural } from '../../kit/wording.ts';
import { dataUrl } from '../../markup/document.ts';
import { loadLibav } from '../../media/libav.ts';
import { commonBox, type ImageBox, type VideoShape } from '../../media/shown-shape.ts';
import { type DeliveredPair, deliveredPairs, shownBallots } from '../../record/delivered-pairs.ts';
import type { Fact, OutputFact } from '../../record/fact.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import { appendLines } from '../../record/line-files.ts';
import { isStored } from '../../record/output-files.ts';
import type { Ballot } from '../../record/score.ts';
import { drawBallots } from '../../score/draw-ballots.ts';
import type { ShownBallot } from '../../view/shown-ballot.ts';
import type { BallotFile } from '../../view/voting-server.ts';
import { openShower } from './shower.ts';

export interface BallotMaker {
  /**
   * The JSON of a `ShownBallot`, in a file that stays until `close`; made once. Null if a file of the run is gone, or
   * does not decode any longer.
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
  source: ExaminerSource,
): BallotMaker {
  const decoded = decodedOutputs(facts);
  const prompts = new Map(run.prompts.map((prompt) => [prompt.id, prompt]));
  const { bytes, folder: to, close } = openShower(folder, facts, source);
  const madeOf = async (fact: DecodedOutput, how: Parameters<typeof bytes>[1]): Promise<Buffer | null> =>
    (await bytes(fact.sha256, how))?.[0] ?? null;
  const shownOf = async ({ ballot, prompt: id, left, right }: Ballot): Promise<ShownBallot | null> => {
    const prompt = prompts.get(id);
    const facts = [decoded.get(left.sha256), decoded.get(right.sha256)] as const;
    if (prompt === undefined || facts[0] === undefined || facts[1] === undefined) return null;
    const { box, video } = commonShape(facts[0], facts[1]);
    const how = video === null ? { box } : { video };
    const sides = [await madeOf(facts[0], how), await madeOf(facts[1], how)] as const;
    if (sides[0] === null || sides[1] === null) return null;
    const inputFact = decoded.get(prompt.media[0]?.sha256 ?? '');
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
    const shown = source.signal.aborted ? null : await shownOf(ballot);
    if (shown === null) return null;
    const path = join(to, `${ballot.ballot}.json`);
    writeFileSync(path, JSON.stringify(shown), { mode: 0o600 });
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
    close: () => {
      one.clearQueue();
      return close();
    },
  };
}

export interface Votable {
  readonly ballots: readonly Ballot[];
  /** Sentences about ballots left out. */
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
  const missing = libav === null || libav.ok ? null : decodeReason(libav.reason);
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

/** Pads to one length: readers ignore what follows the end of a PNG. */
export function padPng(one: Buffer, other: Buffer): PaddedSides {
  const length = Math.max(one.length, other.length);
  const padded = (png: Buffer): Buffer => Buffer.concat([png, Buffer.alloc(length - png.length)]);
  return [padded(one), padded(other)];
}

/** Bytes of the size and name of a box. */
const BOX_HEAD = 8;

/** Pads to one length with a box of free space (ISO/IEC 14496-12, section 8.1.2). */
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

/** Pairs that voters see of each two variants. */
const PAIRS = 40;

export interface BallotRun {
  readonly record: StoredRun;
  /** What voters see, in this order. */
  readonly shown: readonly Ballot[];
  /** Why there are fewer pairs than asked for: a sentence for each two variants. */
  readonly fewer: readonly string[];
}

/**
 * The ballots of a run. The first time they are drawn and written: what was drawn once is not drawn again, so that nobody
 * draws until the result suits. Refuses a run without a pair of different images.
 *
 * @param pairs of each two variants; undefined: as drawn, else `PAIRS`
 */
export function openBallots(folder: string, record: StoredRun, pairs: number | undefined): BallotRun {
  const { run, facts, votes } = record;
  const outputs = decodedOutputs(facts);
  const alikePairs = deliveredPairs(record).filter((pair) => isAlike(pair, outputs));
  const seed = randomBytes(32).toString('hex');
  const isScored = record.scores.some(({ line }) => line === 'value' || line === 'preference');
  const drawn = drawBallots(alikePairs, { seed, most: pairs ?? PAIRS, scored: isScored });
  const before = shownBallots(votes, facts);
  const fewer = pairs === undefined ? [] : fewerPairs(alikePairs, pairs);
  if (votes.some(({ line }) => line === 'ballot')) {
    const wanted = shownBallots(drawn, facts);
    if (pairs === undefined || wanted.length === before.length) return { record, shown: before, fewer };
    const has = plural(before.filter(({ mirrors }) => mirrors === null).length, 'pair');
    throw refusal(
      `run ${run.id} already has ballots (${has} over all variants)`,
      'leave out --pairs: it cannot change them',
    );
  }
  const shown = shownBallots(drawn, facts);
  if (shown.length === 0) {
    const cause =
      alikePairs.length === 0
        ? `run ${run.id} has no pair to vote on: two still images or two videos of one prompt and seed`
        : `all outputs of run ${run.id} are identical to those of the baseline variant`;
    const remedy =
      alikePairs.length === 0
        ? 'measure two variants of one kind'
        : 'there is nothing to vote on; the report says that they are identical';
    throw refusal(cause, remedy);
  }
  appendLines(folder, 'votes.jsonl', drawn);
  return { record: { ...record, votes: [...votes, ...drawn] }, shown, fewer };
}

/** Why there are fewer pairs than asked for; candidates with the same words share a line. */
function fewerPairs(pairs: readonly DeliveredPair[], asked: number): readonly string[] {
  const groups = [...groupBy(pairs, ({ candidate, baseline }) => `${candidate.variant} and ${baseline.variant}`)];
  const few = groups.filter(([, all]) => all.filter(({ identical }) => !identical).length < asked);
  const why = ([, all]: (typeof groups)[number]): string => {
    const identical = all.filter((pair) => pair.identical).length;
    const ties = identical === 0 ? '' : `; identical, so a tie without a vote: ${count(identical)}`;
    return `${count(all.length - identical)} of ${plural(asked, 'pair')}, since the run has no more prompts and seeds (add some to its suite, then run it again)${ties}`;
  };
  return [...groupBy(few, why)].map(([words, alike]) => `${listedInShort(alike.map(([names]) => names))}: ${words}`);
}

/** Two images, or two videos: what gives a side away is not shown. */
function isAlike({ candidate, baseline }: DeliveredPair, outputs: ReadonlyMap<string, DecodedOutput>): boolean {
  const [one, other] = [outputs.get(candidate.sha256), outputs.get(baseline.sha256)];
  if (one === undefined || other === undefined) return false;
  const motion = motionOf(one);
  return motion !== null && motion === motionOf(other);
}

export type DecodedOutput = Extract<OutputFact, { readonly decodes: true }>;

/** By SHA-256. */
function decodedOutputs(facts: readonly Fact[]): ReadonlyMap<string, DecodedOutput> {
  return new Map(
    facts.flatMap((fact) => (fact.fact === 'output' && fact.decodes === true ? [[fact.sha256, fact] as const] : [])),
  );
}

/** In pixels: a screen shows no more of two outputs beside each other. */
const LARGEST_SIDE = 1024;

const LONGEST_S = 10;
const FASTEST_FPS = 30;

/** Null for what nobody votes on: an animation, or a video of unknown length. */
export function motionOf({ video, frames }: DecodedOutput): 'still' | 'video' | null {
  if (video === null) return frames === 1 ? 'still' : null;
  return video.fps === null || video.durationS === null ? null : 'video';
}

export function boxOf(outputs: readonly DecodedOutput[]): ImageBox {
  return commonBox(outputs, LARGEST_SIDE);
}

/**
 * How both sides of a ballot are shown. Videos end with the shorter one, after 10 s at most, at the faster rate of the
 * two, 30 frames a second at most.
 */
export function commonShape(
  one: DecodedOutput,
  other: DecodedOutput,
): { readonly box: ImageBox; readonly video: VideoShape | null } {
  const box = boxOf([one, other]);
  const rates = [one, other].flatMap(({ video }) => video?.fps ?? []);
  const lengths = [one, other].flatMap(({ video }) => video?.durationS ?? []);
  if (rates.length === 0) return { box, video: null };
  const fps = Math.min(FASTEST_FPS, Math.max(...rates));
  const frames = Math.max(1, Math.round(fps * Math.min(LONGEST_S, ...lengths)));
  return { box, video: { width: even(box.width), height: even(box.height), fps, frames } };
}

/** Halved chroma needs even sides. */
function even(side: number): number {
  return Math.max(2, 2 * Math.round(side / 2));
}
