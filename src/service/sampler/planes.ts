import { type Size, spectrumColumns, spectrumLength } from './fourier.ts';

/**
 * The three spectra of an image in one array: luma Y at the image's size, then Cb and Cr at half of it (as in JPEG's
 * 4:2:0: the eye sees colour more coarsely, and half of the work is spared). A video has in each plane one spectrum per
 * frame, or after a transform over time per frequency in time.
 */
export interface PlaneLayout {
  readonly image: Size;
  /** 1 for an image; else a product of 2 and 3. */
  readonly frames: number;
  readonly planes: readonly Plane[];
  readonly length: number;
}

export interface Plane {
  readonly size: Size;
  readonly channel: 'luma' | 'chroma';
  readonly start: number;
  /** Doubles of one frame times the frames. */
  readonly length: number;
  readonly columns: number;
}

/** For an image, or a video of such frames; sides are multiples of 4 and products of 2 and 3. */
export function layoutOf(image: Size, frames = 1): PlaneLayout {
  const half = { width: image.width / 2, height: image.height / 2 };
  const planeAt = (size: Size, channel: Plane['channel'], start: number): Plane => ({
    size,
    channel,
    start,
    length: spectrumLength(size) * frames,
    columns: spectrumColumns(size),
  });
  const luma = planeAt(image, 'luma', 0);
  const blue = planeAt(half, 'chroma', luma.length);
  const red = planeAt(half, 'chroma', blue.start + blue.length);
  return { image, frames, planes: [luma, blue, red], length: red.start + red.length };
}
