import type { Pixels } from '../pixels.ts';

/** One frame of a video or an animation, or a still, and when it is shown. */
export interface TimedPixels {
  /** Seconds from the first frame. */
  readonly atS: number;
  readonly pixels: Pixels;
}
