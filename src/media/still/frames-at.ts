import type { Pixels, TimedPixels } from '../pixels.ts';

/** Times in the middle of each of `count` equal parts, in seconds. */
export function middleTimes(count: number, durationS: number): readonly number[] {
  return Array.from({ length: count }, (_, part) => ((part + 0.5) / count) * durationS);
}

/**
 * What is shown at each of these times: the last frame that has begun. One for each time, if there is a frame.
 * @param frames in their order, each decoded once; not read further than needed
 * @param times in seconds from the first frame, ascending
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
