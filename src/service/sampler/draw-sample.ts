import { denoiserOf, type Mixture } from './mixture.ts';
import { drawWhiteNoise } from './noise.ts';
import { RandomSource } from './random.ts';
import { consistency, type Denoise, heun, type Stopped } from './samplers.ts';

export interface Method {
  readonly sampler: 'heun' | 'consistency';
  readonly levels: readonly number[];
}

/** As spectra, with the calls of the denoiser: the work of the model. */
export interface DrawnSample {
  readonly state: Float64Array;
  readonly evaluations: number;
}

/** The same mixture, method and seed give the same numbers. Throws SamplingStopped. */
export function drawSample(mixture: Mixture, { sampler, levels }: Method, seed: number, stopped: Stopped): DrawnSample {
  const { layout, means } = mixture;
  const denoise = denoiserOf(mixture);
  let evaluations = 0;
  const counted: Denoise = (state, sigma, into) => {
    evaluations++;
    denoise(state, sigma, into);
  };
  const random = new RandomSource(seed);
  const highest = levels[0] ?? 0;
  const state = new Float64Array(layout.length);
  drawWhiteNoise(random, layout, state);
  for (let i = 0; i < state.length; i++) {
    let middle = 0;
    for (const mean of means) middle += (mean[i] ?? 0) / means.length;
    state[i] = middle + highest * (state[i] ?? 0);
  }
  if (sampler === 'heun') heun(counted, levels, state, stopped);
  else consistency(counted, levels, state, (into) => drawWhiteNoise(random, layout, into), stopped);
  return { state, evaluations };
}
