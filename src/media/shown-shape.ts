import type { Pixels, TimedPixels } from './pixels.ts';

/** In pixels. */
export interface ImageBox {
  readonly width: number;
  readonly height: number;
}

/** Whether two images have one shape: then one scaled to the size of the other shows the same places. */
export function isSameShape(one: ImageBox, other: ImageBox): boolean {
  return Math.abs((other.width * one.height) / (other.height * one.width) - 1) <= MOST_STRETCH;
}

const MOST_STRETCH = 0.01;

/** Of a copy that is shown to somebody. */
export interface VideoShape {
  /** In pixels; both even. */
  readonly width: number;
  readonly height: number;
  /** Frames a second. */
  readonly fps: number;
  readonly frames: number;
}

/**
 * The size that images are scaled into, so that size does not reveal which is which: no side above `largestSide`, no
 * image enlarged.
 */
export function commonBox(sizes: readonly ImageBox[], largestSide: number): ImageBox {
  const width = Math.min(...sizes.map((size) => size.width));
  const height = Math.min(...sizes.map((size) => size.height));
  const scale = Math.min(1, largestSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(scale * width)), height: Math.max(1, Math.round(scale * height)) };
}

/** Times in the middle of each of `count` equal parts, in seconds. */
export function middleTimes(count: number, durationS: number): readonly number[] {
  return Array.from({ length: count }, (_, part) => ((part + 0.5) / count) * durationS);
}

/**
 * The last frame that has begun at each time (ascending seconds from the first frame). Decodes each frame once, and
 * none after the last that is needed.
 */
export function* framesAt(frames: Iterable<TimedPixels>, times: readonly number[]): Generator<Pixels> {
  let shown: Pixels | null = null;
  let next = 0;
  for (const { atS, pixels } of frames) {
    for (; shown !== null && next < times.length && (times[next] ?? 0) < atS; next += 1) yield shown;
    if (next === times.length) return;
    shown = pixels;
  }
  for (; shown !== null && next < times.length; next += 1) yield shown;
}
