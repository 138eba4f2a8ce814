import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { denoiserOf, drawSample, drawWhiteNoise, type Mixture } from '../../../src/service/sampler/draw-sample.ts';
import { mirrorSpectrum, toPlane, transformTime } from '../../../src/service/sampler/fourier.ts';
import { RandomSource } from '../../../src/service/sampler/random.ts';
import { decodeRaster, encodeRaster, textureVariances } from '../../../src/service/sampler/raster.ts';
import {
  type Denoise,
  heun,
  karrasLevels,
  layoutOf,
  type PlaneLayout,
  SamplingStopped,
} from '../../../src/service/sampler/samplers.ts';
import { paint } from '../../fixtures/painted-images.ts';

const SIZE = { width: 48, height: 36 };
const TEXTURE = { luma: 0.065, chroma: 0.012, knee: 6 };
const never = () => false;

/** The spectra of a painting and of its mirror image; for a video of one that stands still. */
function meansOf(seed: number, layout: PlaneLayout): readonly Float64Array[] {
  const pixels = paint({ texture: 'shapes', ...SIZE, seed });
  const spectra = encodeRaster(Uint8Array.from(pixels.data), layoutOf(SIZE));
  const mirrored = Float64Array.from(spectra);
  for (const { start, length, size } of layoutOf(SIZE).planes) {
    mirrored.set(mirrorSpectrum(spectra.subarray(start, start + length), size), start);
  }
  if (layout.frames === 1) return [spectra, mirrored];
  const over = new Float64Array(layout.length);
  for (const [at, { start, length }] of layout.planes.entries()) {
    const plane = layoutOf(SIZE).planes[at];
    for (let frame = 0; frame < layout.frames; frame += 1) {
      const each = spectra.subarray(plane?.start ?? 0, (plane?.start ?? 0) + (plane?.length ?? 0));
      over.set(each, start + (frame * length) / layout.frames);
    }
    transformTime(over.subarray(start, start + length), layout.frames, -1);
  }
  return [over];
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** Of one machine and of every other: sums, products and functions that V8 rounds the same everywhere. */
test.each([
  ['heun', 24, 0.008, 'fe0ed67f7bb9ee1e'],
  ['heun', 8, 0.06, '8f68118a61619870'],
  ['consistency', 4, 0.25, 'f7b6ae4cb0217a1e'],
] as const)('an image drawn by %s in %i levels has the pixels that it had', (sampler, count, lowest, expected) => {
  const layout = layoutOf(SIZE);
  const means = [1, 2].flatMap((seed) => meansOf(seed, layout));
  const mixture = { layout, means, variances: textureVariances(TEXTURE, layout) };
  const levels = karrasLevels(count, lowest, 60);
  const { state } = drawSample(mixture, { sampler, levels }, 7, never);
  expect(digest(decodeRaster(state, layout))).toBe(expected);
});

test('a video that is drawn has the frames that it had', () => {
  const layout = layoutOf(SIZE, 12);
  const mixture = { layout, means: meansOf(3, layout), variances: textureVariances(TEXTURE, layout, 24) };
  const method = { sampler: 'consistency', levels: karrasLevels(4, 0.25, 60) } as const;
  const { state } = drawSample(mixture, method, 7, never);
  const frames = layout.planes.flatMap(({ start, length, size }) => {
    const spectra = transformTime(state.slice(start, start + length), 12, 1);
    return Array.from({ length: 12 }, (_, at) =>
      toPlane(spectra.subarray((at * length) / 12, ((at + 1) * length) / 12), size),
    );
  });
  expect(digest(Buffer.concat(frames.map((plane) => Uint8Array.from(plane, (value) => 128 + 64 * value))))).toBe(
    '2db9bc07a8206671',
  );
});

function noise(layout: PlaneLayout, seed: number, scale = 1): Float64Array {
  const into = new Float64Array(layout.length);
  drawWhiteNoise(new RandomSource(seed), layout, into);
  return into.map((value) => value * scale);
}

const planesOf = (spectra: Float64Array, { planes }: PlaneLayout): readonly number[] =>
  planes.flatMap(({ start, length, size }) => [...toPlane(spectra.subarray(start, start + length), size)]);

test('the denoiser is the gradient of the log density over pixels: D - x = sigma^2 grad log p (Tweedie)', () => {
  const layout = layoutOf({ width: 24, height: 16 });
  const [means, sigma, variance] = [[noise(layout, 1, 0.3), noise(layout, 2, 0.3)], 1.1, 0.1];
  // With C = c I the components are round, and all can be computed over pixels without a transform.
  const mixture: Mixture = { layout, means, variances: new Float64Array(layout.length / 2).fill(variance) };
  const state = noise(layout, 3, 1.2);
  const estimate = new Float64Array(layout.length);
  denoiserOf(mixture)(state, sigma, estimate);
  const logDensity = (at: Float64Array) => {
    const pixels = planesOf(at, layout);
    const logs = means.map((mean) => {
      const centre = planesOf(mean, layout);
      const square = pixels.reduce((sum, x, i) => sum + (x - (centre[i] ?? 0)) ** 2, 0);
      return -square / (2 * (variance + sigma * sigma));
    });
    const highest = Math.max(...logs);
    return highest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - highest), 0));
  };
  const [way, step] = [noise(layout, 9), 1e-4];
  const moved = (by: number) => state.map((value, i) => value + by * (way[i] ?? 0));
  const slope = (logDensity(moved(step)) - logDensity(moved(-step))) / (2 * step);
  const score = planesOf(
    estimate.map((value, i) => (value - (state[i] ?? 0)) / (sigma * sigma)),
    layout,
  );
  const along = planesOf(way, layout).reduce((sum, value, i) => sum + value * (score[i] ?? 0), 0);
  expect(along / slope).toBeCloseTo(1, 6);
});

test('the probability-flow ODE of one Gaussian leads where its closed form does, and stops where it is told to', () => {
  const [mean, variances, start] = [0.4, [1, 0.1, 0.01], [60, -45, 30]];
  const denoise: Denoise = (state, sigma, into) => {
    for (const [i, c] of variances.entries()) into[i] = mean + (c / (c + sigma * sigma)) * ((state[i] ?? 0) - mean);
  };
  const state = Float64Array.from(start);
  heun(denoise, karrasLevels(400, 0.001, 60), state, never);
  for (const [i, c] of variances.entries()) {
    const exact = mean + Math.sqrt(c / (c + 3600)) * ((start[i] ?? 0) - mean);
    expect(Math.abs((state[i] ?? 0) - exact)).toBeLessThan(2e-3);
  }
  expect(() => heun(denoise, karrasLevels(4, 0.001, 60), state, () => true)).toThrow(SamplingStopped);
});
