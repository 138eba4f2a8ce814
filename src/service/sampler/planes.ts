import { type Size, spectrumColumns, spectrumLength } from './fourier.ts';

/**
 * Where the three spectra of a picture lie in one array: luma Y at the picture's size, then the colour differences Cb
 * and Cr at half of it (as in JPEG's 4:2:0: the eye sees colour more coarsely, and half of the work is spared).
 */
export interface Layout {
  readonly picture: Size;
  readonly planes: readonly Plane[];
  /** Doubles in all. */
  readonly length: number;
}

export interface Plane {
  readonly size: Size;
  readonly channel: 'luma' | 'chroma';
  /** Where its first double is. */
  readonly start: number;
  /** Doubles it takes. */
  readonly length: number;
  /** Complex numbers a row holds. */
  readonly columns: number;
}

/** The layout of a picture; its sides are multiples of 4 and products of 2 and 3. */
export function layoutOf(picture: Size): Layout {
  const half = { width: picture.width / 2, height: picture.height / 2 };
  const luma = planeAt(picture, 'luma', 0);
  const blue = planeAt(half, 'chroma', luma.length);
  const red = planeAt(half, 'chroma', blue.start + blue.length);
  return { picture, planes: [luma, blue, red], length: red.start + red.length };
}

function planeAt(size: Size, channel: Plane['channel'], start: number): Plane {
  return { size, channel, start, length: spectrumLength(size), columns: spectrumColumns(size) };
}
