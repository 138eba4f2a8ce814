import { type Size, toPlane, toSpectrum } from './fourier.ts';
import type { PlaneLayout } from './samplers.ts';

export function encodeRaster(rgb: Uint8Array, layout: PlaneLayout): Float64Array {
  const spectra = new Float64Array(layout.length);
  for (const [i, plane] of splitRaster(rgb, layout.image).entries()) {
    const place = layout.planes[i];
    if (place !== undefined) spectra.set(toSpectrum(plane, place.size), place.start);
  }
  return spectra;
}

/**
 * Planes Y, Cb, Cr after ITU-T T.871 (JPEG) of red, green, blue bytes, black -1 and white 1, colour differences
 * averaged over 2 x 2 pixels.
 */
export function splitRaster(rgb: Uint8Array, { width, height }: Size): readonly Float64Array[] {
  const luma = new Float64Array(width * height);
  const blue = new Float64Array(luma.length / 4);
  const red = new Float64Array(luma.length / 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      const r = (rgb[pixel * 3] ?? 0) / 127.5 - 1;
      const g = (rgb[pixel * 3 + 1] ?? 0) / 127.5 - 1;
      const b = (rgb[pixel * 3 + 2] ?? 0) / 127.5 - 1;
      const light = 0.299 * r + 0.587 * g + 0.114 * b;
      const cell = (y >> 1) * (width / 2) + (x >> 1);
      luma[pixel] = light;
      blue[cell] = (blue[cell] ?? 0) + (b - light) / (1.772 * 4);
      red[cell] = (red[cell] ?? 0) + (r - light) / (1.402 * 4);
    }
  }
  return [luma, blue, red];
}

/** Red, green, blue bytes; colour differences are interpolated, values are clipped. */
export function decodeRaster(spectra: Float64Array, layout: PlaneLayout): Uint8Array {
  const [luma, blue, red] = layout.planes.map((p) => toPlane(spectra.subarray(p.start, p.start + p.length), p.size));
  const { width, height } = layout.image;
  const rgb = new Uint8Array(width * height * 3);
  if (luma === undefined || blue === undefined || red === undefined) return rgb;
  const half = { width: width / 2, height: height / 2 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      const light = luma[pixel] ?? 0;
      const cb = between(blue, half, x, y);
      const cr = between(red, half, x, y);
      rgb[pixel * 3] = toByte(light + 1.402 * cr);
      rgb[pixel * 3 + 1] = toByte(light - 0.344136 * cb - 0.714136 * cr);
      rgb[pixel * 3 + 2] = toByte(light + 1.772 * cb);
    }
  }
  return rgb;
}

/** Of half the size, at a pixel of the whole: three quarters from its own cell, a quarter from the next, each way. */
function between(plane: Float64Array, { width, height }: Size, x: number, y: number): number {
  const ownX = x >> 1;
  const ownY = y >> 1;
  const nextX = Math.min(width - 1, Math.max(0, ownX + ((x & 1) === 0 ? -1 : 1)));
  const nextY = Math.min(height - 1, Math.max(0, ownY + ((y & 1) === 0 ? -1 : 1)));
  const own = 3 * (plane[ownY * width + ownX] ?? 0) + (plane[ownY * width + nextX] ?? 0);
  const next = 3 * (plane[nextY * width + ownX] ?? 0) + (plane[nextY * width + nextX] ?? 0);
  return (3 * own + next) / 16;
}

function toByte(value: number): number {
  return Math.min(255, Math.max(0, Math.round((value + 1) * 127.5)));
}
