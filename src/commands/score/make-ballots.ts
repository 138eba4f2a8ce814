import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { EXAMINE_LIMITS_MS, openExaminers } from '../../examine/examiners.ts';
import { dataUrl } from '../../markup/data-url.ts';
import type { ImageBox, VideoShape } from '../../media/shown-shape.ts';
import type { Ballot } from '../../record/score.ts';
import type { ShownBallot } from '../../view/shown-ballot.ts';
import type { BallotFile } from '../../view/voting-server.ts';
import type { BallotRun } from './open-ballots.ts';
import { padMp4, padPng } from './pad-sides.ts';
import { boxOf, commonShape, type DecodedOutput, decodedOutputs } from './side-shape.ts';

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
