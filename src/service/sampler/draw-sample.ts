import { RandomSource } from './random.ts';
import { consistency, type Denoise, heun, type PlaneLayout, type Stopped } from './samplers.ts';

/**
 * A mixture of Gaussians N(mu_k, C) with equal weights over images, as spectra in one layout. `variances` is the
 * diagonal of C per complex coefficient, so half as long as a mean.
 */
export interface Mixture {
  readonly layout: PlaneLayout;
  readonly means: readonly Float64Array[];
  readonly variances: Float64Array;
}

/**
 * The probability of each component given `state` = x0 + sigma z: r_k in proportion to exp(-1/2 sum_f |x_f - mu_kf|^2 /
 * (C_f + sigma^2)), sum 1. Terms equal for all components (|x_f|^2, the determinant) are left out.
 */
function responsibilities({ layout, means, variances }: Mixture, state: Float64Array, sigma: number): number[] {
  const noise = sigma * sigma;
  const scores = means.map(() => 0);
  for (const { start, length, columns } of layout.planes) {
    const weights = new Float64Array(columns);
    for (let row = start; row < start + length; row += columns * 2) {
      // A coefficient stands for itself and its mirror; in the first and last column the mirror is in the same set.
      for (let j = 0; j < columns; j++) {
        weights[j] = (j === 0 || j === columns - 1 ? 1 : 2) / ((variances[row / 2 + j] ?? 0) + noise);
      }
      for (const [k, mean] of means.entries()) {
        let score = 0;
        for (let j = 0, at = row; j < columns; j++, at += 2) {
          const re = mean[at] ?? 0;
          const im = mean[at + 1] ?? 0;
          score += (weights[j] ?? 0) * (re * ((state[at] ?? 0) - 0.5 * re) + im * ((state[at + 1] ?? 0) - 0.5 * im));
        }
        scores[k] = (scores[k] ?? 0) + score;
      }
    }
  }
  const highest = Math.max(...scores);
  const likelihoods = scores.map((score) => Math.exp(score - highest));
  const total = likelihoods.reduce((sum, likelihood) => sum + likelihood, 0);
  return likelihoods.map((likelihood) => likelihood / total);
}

/**
 * The mixture's denoiser, exact: D(x; sigma) = sum_k r_k (mu_k + C / (C + sigma^2) (x - mu_k)), a mixture of Wiener
 * filters. (D - x) / sigma^2 is the score of the noised distribution (Karras et al. 2022, equation 3).
 */
export function denoiserOf(mixture: Mixture): Denoise {
  const { layout, means, variances } = mixture;
  return (state, sigma, into) => {
    const shares = responsibilities(mixture, state, sigma);
    const noise = sigma * sigma;
    into.fill(0);
    for (const [k, mean] of means.entries()) {
      const share = shares[k] ?? 0;
      if (share === 0) continue;
      for (let j = 0; j < layout.length; j++) into[j] = (into[j] ?? 0) + share * (mean[j] ?? 0);
    }
    for (let i = 0, at = 0; at < layout.length; i++, at += 2) {
      const variance = variances[i] ?? 0;
      const keep = variance / (variance + noise);
      into[at] = (into[at] ?? 0) + keep * ((state[at] ?? 0) - (into[at] ?? 0));
      into[at + 1] = (into[at + 1] ?? 0) + keep * ((state[at + 1] ?? 0) - (into[at + 1] ?? 0));
    }
  };
}

/**
 * Fills `into` with spectra of white noise with variance 1; for a video over time too. Noise that is white over pixels
 * is white over frequencies, so no transform is needed. A frequency that is its own mirror is real; in the first and
 * last column the mirror is in the same column.
 */
export function drawWhiteNoise(random: RandomSource, layout: PlaneLayout, into: Float64Array): void {
  for (let i = 0; i < layout.length; i++) into[i] = random.normal() * Math.SQRT1_2;
  const { frames } = layout;
  for (const { size, start, columns } of layout.planes) {
    for (let row = 0; row < frames * size.width; row++) {
      const [w, u] = [Math.floor(row / size.width), row % size.width];
      const mirror = ((frames - w) % frames) * size.width + ((size.width - u) % size.width);
      if (mirror < row) continue;
      for (const column of [0, columns - 1]) {
        const at = start + (row * columns + column) * 2;
        if (mirror === row) {
          into[at] = (into[at] ?? 0) * Math.SQRT2;
          into[at + 1] = 0;
        } else {
          const to = start + (mirror * columns + column) * 2;
          into[to] = into[at] ?? 0;
          into[to + 1] = -(into[at + 1] ?? 0);
        }
      }
    }
  }
}

export interface Method {
  readonly sampler: 'heun' | 'consistency';
  readonly levels: readonly number[];
}

/** `state` is spectra, `evaluations` calls of the denoiser. */
export interface DrawnSample {
  readonly state: Float64Array;
  readonly evaluations: number;
}

/** What is noised at the first level in place of the mixture's mean. */
export interface Beginning {
  readonly state: Float64Array;
  /** Changes each estimate of x0; null: none. */
  readonly mend: ((estimate: Float64Array) => void) | null;
}

/** The same mixture, method and seed give the same numbers. Throws SamplingStopped. */
export function drawSample(
  mixture: Mixture,
  { sampler, levels }: Method,
  seed: number,
  stopped: Stopped,
  beginning: Beginning | null = null,
): DrawnSample {
  const { layout, means } = mixture;
  const denoise = denoiserOf(mixture);
  let evaluations = 0;
  const counted: Denoise = (state, sigma, into) => {
    evaluations++;
    denoise(state, sigma, into);
    beginning?.mend?.(into);
  };
  const random = new RandomSource(seed);
  const highest = levels[0] ?? 0;
  const state = new Float64Array(layout.length);
  drawWhiteNoise(random, layout, state);
  for (let i = 0; i < state.length; i++) {
    let middle = beginning?.state[i] ?? 0;
    if (beginning === null) for (const mean of means) middle += (mean[i] ?? 0) / means.length;
    state[i] = middle + highest * (state[i] ?? 0);
  }
  if (sampler === 'heun') heun(counted, levels, state, stopped);
  else consistency(counted, levels, state, (into) => drawWhiteNoise(random, layout, into), stopped);
  return { state, evaluations };
}
