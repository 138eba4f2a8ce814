import { expect, test } from 'vitest';
import {
  denoiserOf,
  drawWhiteNoise,
  type Mixture,
  responsibilities,
} from '../../../src/service/sampler/draw-sample.ts';
import { toPlane } from '../../../src/service/sampler/fourier.ts';
import { layoutOf, type PlaneLayout } from '../../../src/service/sampler/planes.ts';
import { RandomSource } from '../../../src/service/sampler/random.ts';

const layout = layoutOf({ width: 24, height: 16 });

function noise(seed: number, scale = 1): Float64Array {
  const into = new Float64Array(layout.length);
  drawWhiteNoise(new RandomSource(seed), layout, into);
  return into.map((value) => value * scale);
}

function planesOf(spectra: Float64Array, { planes }: PlaneLayout): number[] {
  return planes.flatMap(({ start, length, size }) => [...toPlane(spectra.subarray(start, start + length), size)]);
}

/** With C = c I the components are round, and all can be computed over pixels without a transform. */
function round(means: readonly Float64Array[], variance: number): Mixture {
  return { layout, means, variances: new Float64Array(layout.length / 2).fill(variance) };
}

/** ln of the density of each component over pixels, but for what is equal for all. */
function logDensities(means: readonly Float64Array[], state: Float64Array, variance: number): readonly number[] {
  const pixels = planesOf(state, layout);
  return means.map((mean) => {
    const centre = planesOf(mean, layout);
    return -pixels.reduce((sum, x, i) => sum + (x - (centre[i] ?? 0)) ** 2, 0) / (2 * variance);
  });
}

/** ln of the sum of what these are the logarithms of. */
function logSum(logs: readonly number[]): number {
  const highest = Math.max(...logs);
  return highest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - highest), 0));
}

test('responsibilities are those of Bayes over pixels', () => {
  const means = [noise(1, 0.2), noise(2, 0.2), noise(3, 0.21)];
  const [state, sigma] = [noise(4, 1.5), 1.4];
  const logs = logDensities(means, state, 0.3 + sigma * sigma);
  for (const [k, share] of responsibilities(round(means, 0.3), state, sigma).entries()) {
    expect(share).toBeCloseTo(Math.exp((logs[k] ?? 0) - logSum(logs)), 9);
  }
});

test('the denoiser with one component is the Wiener filter about it', () => {
  const mean = noise(1);
  const state = noise(2, 3);
  const variances = Float64Array.from({ length: layout.length / 2 }, (_, i) => 0.01 + (i % 7));
  const into = new Float64Array(layout.length);
  denoiserOf({ layout, means: [mean], variances })(state, 2, into);
  for (let i = 0; i < into.length; i++) {
    const c = variances[i >> 1] ?? 0;
    const expected = (mean[i] ?? 0) + (c / (c + 4)) * ((state[i] ?? 0) - (mean[i] ?? 0));
    expect(into[i]).toBeCloseTo(expected, 12);
  }
});

test('the denoiser is the gradient of the log density: D - x = sigma^2 grad log p (Tweedie)', () => {
  const means = [noise(1, 0.3), noise(2, 0.3)];
  const mixture = round(means, 0.1);
  const sigma = 1.1;
  const state = noise(3, 1.2);
  const estimate = new Float64Array(layout.length);
  denoiserOf(mixture)(state, sigma, estimate);
  const logDensity = (at: Float64Array) => logSum(logDensities(means, at, 0.1 + sigma * sigma));
  const way = noise(9);
  const step = 1e-4;
  const moved = (by: number) => state.map((value, i) => value + by * (way[i] ?? 0));
  const slope = (logDensity(moved(step)) - logDensity(moved(-step))) / (2 * step);
  const score = planesOf(
    estimate.map((value, i) => (value - (state[i] ?? 0)) / (sigma * sigma)),
    layout,
  );
  const along = planesOf(way, layout).reduce((sum, value, i) => sum + value * (score[i] ?? 0), 0);
  expect(along / slope).toBeCloseTo(1, 6);
});
