import type { ImageBox, VideoShape } from '../../media/shown-shape.ts';
import { commonBox } from '../../media/shown-shape.ts';
import type { Fact, OutputFact } from '../../record/fact.ts';

export type DecodedOutput = Extract<OutputFact, { readonly decodes: true }>;

/** Outputs that decode, by SHA-256. */
export function decodedOutputs(facts: readonly Fact[]): ReadonlyMap<string, DecodedOutput> {
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
