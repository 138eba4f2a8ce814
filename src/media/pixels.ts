/**
 * Decoded pixels as they are shown: sRGB, upright, row by row from the top left, channels interleaved (red, green, blue
 * and, where the image has any transparency, alpha, not multiplied in). Where alpha is 0, colour is 0 too: none is shown.
 */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  /** Bits of a sample: 8 in a Uint8Array, 16 in a Uint16Array. */
  readonly depth: 8 | 16;
  readonly data: Uint8Array | Uint16Array;
}

/** Brightness of each pixel, row by row, from 0 (black) to 255 (white) whatever the depth it came from. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly data: Float64Array;
}

/** The largest value of a sample. */
export function peakOf({ depth }: Pick<Pixels, 'depth'>): number {
  return depth === 8 ? 255 : 65_535;
}

/** Gives all samples of four channels whose alpha is 0 one colour, in place: a file may hold any there, and none is shown. */
export function emptyTransparent(data: Pixels['data']): void {
  for (let at = 3; at < data.length; at += 4) {
    if (data[at] === 0) {
      data[at - 3] = 0;
      data[at - 2] = 0;
      data[at - 1] = 0;
    }
  }
}

/**
 * Luma by the weights of ITU-R BT.601 (0.299, 0.587, 0.114), which Wang's and Meta's programs take; not rounded. What is
 * transparent is shown on white, as a page shows it.
 */
export function lumaOf({ width, height, channels, depth, data }: Pixels): Luma {
  const luma = new Float64Array(width * height);
  const scale = depth === 8 ? 1 : 255 / 65_535;
  const peak = depth === 8 ? 255 : 65_535;
  const pixels = width * height;
  for (let pixel = 0, at = 0; pixel < pixels; pixel += 1, at += channels) {
    luma[pixel] = (0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)) * scale;
  }
  // Apart, since most images have no alpha: the loop above takes half the time without it.
  for (let pixel = 0; channels === 4 && pixel < pixels; pixel += 1) {
    luma[pixel] = 255 + ((luma[pixel] ?? 0) - 255) * ((data[pixel * 4 + 3] ?? 0) / peak);
  }
  return { width, height, data: luma };
}
