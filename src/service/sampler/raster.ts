import { type Size, toPlane, toSpectrum } from './fourier.ts';
import type { Plane, PlaneLayout } from './samplers.ts';

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
  const ownRow = 3 * (plane[ownY * width + ownX] ?? 0) + (plane[ownY * width + nextX] ?? 0);
  const nextRow = 3 * (plane[nextY * width + ownX] ?? 0) + (plane[nextY * width + nextX] ?? 0);
  return (3 * ownRow + nextRow) / 16;
}

function toByte(value: number): number {
  return Math.min(255, Math.max(0, Math.round((value + 1) * 127.5)));
}

/** Amplitudes are standard deviations about the scene, with black at -1 and white at 1. */
export interface Texture {
  readonly luma: number;
  readonly chroma: number;
  /** Below this many cycles per shorter side the spectrum is flat. */
  readonly knee: number;
}

const TIME_KNEE = 0.5;

/**
 * The covariance C of the mixture's components. C is stationary, so diagonal over frequencies: gives the variance of
 * each complex coefficient of the layout, plane after plane (half as many as the layout has doubles). The power falls
 * as (f^2 + knee^2)^-1.5, a little faster than the f^-2 of natural images (Field 1987).
 *
 * Over a video's frames it is stationary too, and separable: times (ft^2 + knee^2)^-2 of the frequency in time, with
 * mean 1, so that neighbouring frames have nearly the same texture. `rate` is frames per second.
 */
export function textureVariances(texture: Texture, layout: PlaneLayout, rate = 1): Float64Array {
  const overTime = timeSpectrum(layout.frames, rate);
  const variances = new Float64Array(layout.length / 2);
  for (const plane of layout.planes) {
    const amplitude = plane.channel === 'luma' ? texture.luma : texture.chroma;
    const frame = new Float64Array(plane.length / layout.frames / 2);
    const scale = (amplitude * amplitude) / fillPowerLaw(frame, plane, texture.knee);
    for (const [w, power] of overTime.entries()) {
      const start = plane.start / 2 + w * frame.length;
      for (let i = 0; i < frame.length; i++) variances[start + i] = (frame[i] ?? 0) * scale * power;
    }
  }
  return variances;
}

function timeSpectrum(frames: number, rate: number): readonly number[] {
  const powers = Array.from({ length: frames }, (_, w) => {
    const cycles = (Math.min(w, frames - w) / frames) * rate;
    const square = cycles * cycles + TIME_KNEE * TIME_KNEE;
    return 1 / (square * square);
  });
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => (power * frames) / total);
}

/** Gives the mean over all frequencies, which is the variance of a pixel. */
function fillPowerLaw(into: Float64Array, { size, columns }: Plane, kneeCycles: number): number {
  const { width, height } = size;
  const knee = kneeCycles / Math.min(width, height);
  let total = 0;
  for (let u = 0; u < width; u++) {
    const fx = Math.min(u, width - u) / width;
    for (let v = 0; v < columns; v++) {
      const fy = v / height;
      const square = fx * fx + fy * fy + knee * knee;
      const power = 1 / (square * Math.sqrt(square));
      into[u * columns + v] = power;
      total += v === 0 || v === columns - 1 ? power : 2 * power;
    }
  }
  return total / (width * height);
}
