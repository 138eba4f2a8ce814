import { type Size, spectrumColumns, spectrumLength } from './fourier.ts';

/** Writes E[x0 | x0 + sigma z = x] into `into`; state and result are spectra. */
export type Denoise = (state: Float64Array, sigma: number, into: Float64Array) => void;

/** Called before each evaluation; true ends the sampling. */
export type Stopped = () => boolean;

export class SamplingStopped extends Error {}

/**
 * Heun's method on the probability-flow ODE dx/dsigma = (x - D(x; sigma)) / sigma, with sigma(t) = t and no churn:
 * algorithm 1 of Karras et al. 2022. `levels` fall; a last step goes from the lowest to 0 by Euler's rule. `state` is
 * noise times the highest level, and becomes the sample. n levels cost 2 n - 1 evaluations.
 */
export function heun(denoise: Denoise, levels: readonly number[], state: Float64Array, stopped: Stopped): void {
  const length = state.length;
  const estimate = new Float64Array(length);
  const slope = new Float64Array(length);
  const next = new Float64Array(length);
  for (const [i, sigma] of levels.entries()) {
    const target = levels[i + 1] ?? 0;
    const step = target - sigma;
    if (stopped()) throw new SamplingStopped();
    denoise(state, sigma, estimate);
    for (let j = 0; j < length; j++) {
      const d = ((state[j] ?? 0) - (estimate[j] ?? 0)) / sigma;
      slope[j] = d;
      next[j] = (state[j] ?? 0) + step * d;
    }
    if (target === 0) {
      state.set(next);
      return;
    }
    if (stopped()) throw new SamplingStopped();
    denoise(next, target, estimate);
    for (let j = 0; j < length; j++) {
      const d = ((next[j] ?? 0) - (estimate[j] ?? 0)) / target;
      state[j] = (state[j] ?? 0) + 0.5 * step * ((slope[j] ?? 0) + d);
    }
  }
}

/**
 * Multistep consistency sampling, algorithm 1 of Song et al. 2023 (Consistency Models): jump to an estimate of x0, add
 * fresh noise up to the next level, jump again. The posterior mean replaces the learned consistency function, so
 * details that a level's noise hides are averaged away: few steps are cheap and lose detail. n levels cost n
 * evaluations.
 */
export function consistency(
  denoise: Denoise,
  levels: readonly number[],
  state: Float64Array,
  drawNoise: (into: Float64Array) => void,
  stopped: Stopped,
): void {
  const estimate = new Float64Array(state.length);
  for (const [i, sigma] of levels.entries()) {
    if (stopped()) throw new SamplingStopped();
    denoise(state, sigma, estimate);
    const target = levels[i + 1];
    if (target === undefined) {
      state.set(estimate);
      return;
    }
    drawNoise(state);
    for (let j = 0; j < state.length; j++) state[j] = (estimate[j] ?? 0) + target * (state[j] ?? 0);
  }
}

/**
 * The noise levels of Karras et al. 2022 (Elucidating the Design Space of Diffusion-Based Generative Models, equation
 * 5): sigma_i = (max^(1/rho) + i / (n - 1) (min^(1/rho) - max^(1/rho)))^rho with rho = 7, falling, without 0. `count`
 * is at least 2.
 */
export function karrasLevels(count: number, lowest: number, highest: number): readonly number[] {
  const from = highest ** (1 / 7);
  const to = lowest ** (1 / 7);
  return Array.from({ length: count }, (_, i) => {
    const root = from + (i / (count - 1)) * (to - from);
    const cube = root * root * root;
    return cube * cube * root;
  });
}

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
