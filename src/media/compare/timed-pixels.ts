import type { Pixels } from '../pixels.ts';

/** A frame of a video or animation, or a still. */
export interface TimedPixels {
  /** From the first frame. */
  readonly atS: number;
  readonly pixels: Pixels;
}
