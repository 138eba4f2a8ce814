import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMINE_LIMITS_MS, openExaminers } from '../../../examine/examiners.ts';
import type { OutputFact } from '../../../record/model/fact.ts';
import { dataUrl } from '../../../report/html/markup/data-url.ts';
import type { ShownBallot } from '../../../view/pages/parts/shown-ballot.ts';
import type { BallotRun } from './open-ballots.ts';

type Decoded = Extract<OutputFact, { readonly decodes: true }>;

/** In pixels: a screen shows no more of two images beside each other. */
const LARGEST_SIDE = 1024;

export interface ShownBallots {
  readonly ballots: readonly ShownBallot[];
  /** How many are left out because a file is gone, or does not decode any longer. */
  readonly gone: number;
}

/**
 * Makes what voters see: PNG without metadata, both sides of a ballot scaled to one size and padded to one length.
 *
 * @param folder of the run
 */
export async function showBallots(
  folder: string,
  { record: { facts, run }, shown }: BallotRun,
  signal: AbortSignal,
): Promise<ShownBallots> {
  const decoded = new Map(
    facts.flatMap((fact) => (fact.fact === 'output' && fact.decodes === true ? [[fact.sha256, fact] as const] : [])),
  );
  const prompts = new Map(run.prompts.map((prompt) => [prompt.id, prompt]));
  const to = mkdtempSync(join(tmpdir(), 'retake-'));
  const examiners = openExaminers({ workers: 1, timeLimitMs: EXAMINE_LIMITS_MS, signal });
  const imageOf = async (sha256: string, box: { width: number; height: number } | null): Promise<Buffer | null> => {
    const fact = decoded.get(sha256);
    if (fact === undefined) return null;
    const how = { to, frames: 1, worsening: null, original: false, ...(box === null ? {} : { box }) };
    const made = await examiners.show(folder, fact, how);
    if (made === null || !('images' in made)) return null;
    const [path] = made.images;
    if (path === undefined) return null;
    const bytes = readFileSync(path);
    rmSync(path, { force: true });
    return bytes;
  };
  try {
    const ballots: ShownBallot[] = [];
    for (const { ballot, prompt: id, left, right } of shown) {
      const prompt = prompts.get(id);
      const box = commonBox([decoded.get(left.sha256), decoded.get(right.sha256)]);
      if (prompt === undefined || box === null || signal.aborted) continue;
      const sides = [await imageOf(left.sha256, box), await imageOf(right.sha256, box)] as const;
      const input = prompt.image === null ? null : await imageOf(prompt.image, null);
      if (sides[0] === null || sides[1] === null) continue;
      const length = Math.max(sides[0].length, sides[1].length);
      ballots.push({
        ballot,
        prompt: prompt.text,
        input: input === null ? null : dataUrl('image/png', input),
        left: dataUrl('image/png', padded(sides[0], length)),
        right: dataUrl('image/png', padded(sides[1], length)),
      });
    }
    return { ballots, gone: shown.length - ballots.length };
  } finally {
    await examiners.close();
    rmSync(to, { recursive: true, force: true });
  }
}

/** What follows the end of a PNG is passed over. */
function padded(png: Buffer, length: number): Buffer {
  return Buffer.concat([png, Buffer.alloc(length - png.length)]);
}

/** The size that both sides are scaled to: neither is enlarged. */
function commonBox(
  sides: readonly (Decoded | undefined)[],
): { readonly width: number; readonly height: number } | null {
  const sizes = sides.flatMap((fact) => fact ?? []);
  if (sizes.length < sides.length) return null;
  const [width, height] = [Math.min(...sizes.map((size) => size.width)), Math.min(...sizes.map((size) => size.height))];
  const scale = Math.min(1, LARGEST_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(scale * width)), height: Math.max(1, Math.round(scale * height)) };
}
