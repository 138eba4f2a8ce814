import type { Plane, PlaneLayout } from './samplers.ts';

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
