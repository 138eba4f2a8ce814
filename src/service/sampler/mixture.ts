import type { PlaneLayout } from './planes.ts';
import type { Denoise } from './samplers.ts';

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
export function responsibilities({ layout, means, variances }: Mixture, state: Float64Array, sigma: number): number[] {
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
