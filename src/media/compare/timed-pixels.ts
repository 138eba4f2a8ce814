import type { Pixels } from '../pixels.ts';

export interface TimedPixels {
  /** From the first frame. */
  readonly atS: number;
  readonly pixels: Pixels;
}
