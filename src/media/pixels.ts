/**
 * Pixels as shown: sRGB, upright, rows from the top left, channels interleaved (red, green, blue and, if anything is
 * transparent, alpha, not multiplied in). Where alpha is 0, colour is 0.
 */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  /** Bits of a sample: 8 in a Uint8Array, 16 in a Uint16Array. */
  readonly depth: 8 | 16;
  readonly data: Uint8Array | Uint16Array;
}

/** One number per pixel. */
export interface PixelValues {
  readonly width: number;
  readonly height: number;
  readonly data: Float64Array;
}

export type Luma = PixelValues;

export function peakOf({ depth }: Pick<Pixels, 'depth'>): number {
  return depth === 8 ? 255 : 65_535;
}

/** Makes transparent pixels black, in place: files may hold any colour there. */
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
 * Luma by the weights of ITU-R BT.601 (0.299, 0.587, 0.114), as in Wang's and Meta's programs, not rounded. Overwrites
 * `room` if its size fits. Shows transparency on the grey `ground`, 0 to 255.
 */
export function lumaOf({ width, height, channels, depth, data }: Pixels, room?: Luma, ground = 255): Luma {
  const luma = room?.data.length === width * height ? room.data : new Float64Array(width * height);
  const scale = depth === 8 ? 1 : 255 / 65_535;
  const peak = depth === 8 ? 255 : 65_535;
  const pixels = width * height;
  for (let pixel = 0, at = 0; pixel < pixels; pixel += 1, at += channels) {
    luma[pixel] = (0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)) * scale;
  }
  // A separate loop: most images have no alpha, and the loop above takes half the time without it.
  for (let pixel = 0; channels === 4 && pixel < pixels; pixel += 1) {
    luma[pixel] = ground + ((luma[pixel] ?? 0) - ground) * ((data[pixel * 4 + 3] ?? 0) / peak);
  }
  return { width, height, data: luma };
}

export interface TimedPixels {
  /** From the first frame. */
  readonly atS: number;
  readonly pixels: Pixels;
}
