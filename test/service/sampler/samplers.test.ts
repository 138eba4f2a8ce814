import { expect, test } from 'vitest';
import {
  consistency,
  type Denoise,
  heun,
  karrasLevels,
  SamplingStopped,
} from '../../../src/service/sampler/samplers.ts';

const MEAN = 0.4;
const VARIANCES = [1, 0.1, 0.01];

/** The exact denoiser of N(MEAN, VARIANCES), which counts its calls. */
function gaussian(): { readonly denoise: Denoise; readonly calls: () => number } {
  let calls = 0;
  const denoise: Denoise = (state, sigma, into) => {
    calls++;
    for (const [i, c] of VARIANCES.entries()) into[i] = MEAN + (c / (c + sigma * sigma)) * ((state[i] ?? 0) - MEAN);
  };
  return { denoise, calls: () => calls };
}

const never = () => false;

function solve(count: number): Float64Array {
  const state = Float64Array.of(60, -45, 30);
  heun(gaussian().denoise, karrasLevels(count, 0.001, 60), state, never);
  return state;
}

test('the probability-flow ODE of one Gaussian leads where its closed form does, the nearer the more steps', () => {
  const exact = [60, -45, 30].map((x, i) => {
    const c = VARIANCES[i] ?? 0;
    return MEAN + Math.sqrt(c / (c + 3600)) * (x - MEAN);
  });
  const miss = (count: number) => Math.max(...solve(count).map((x, i) => Math.abs(x - (exact[i] ?? 0))));
  expect(miss(400)).toBeLessThan(2e-3);
  expect(miss(100)).toBeLessThan(miss(24));
  expect(miss(24)).toBeLessThan(miss(8));
  expect(miss(24)).toBeLessThan(0.06);
});

test('n levels of Heun ask 2 n - 1 times, n consistency steps n times', () => {
  const model = gaussian();
  heun(model.denoise, karrasLevels(24, 0.01, 60), new Float64Array(3), never);
  expect(model.calls()).toBe(47);
  const other = gaussian();
  consistency(other.denoise, karrasLevels(4, 0.25, 60), new Float64Array(3), (into) => into.fill(0), never);
  expect(other.calls()).toBe(4);
});

test('consistency sampling ends at the estimate of its last level and keeps less variance than there is', () => {
  const state = Float64Array.of(60, 60, 60);
  consistency(gaussian().denoise, [60, 0.25], state, (into) => into.fill(1), never);
  for (const [i, c] of VARIANCES.entries()) {
    const first = MEAN + (c / (c + 3600)) * (60 - MEAN);
    expect(state[i]).toBeCloseTo(MEAN + (c / (c + 0.0625)) * (first + 0.25 - MEAN), 12);
  }
});

test('a sampler that is stopped asks no further', () => {
  const model = gaussian();
  let left = 5;
  const stopped = () => left-- === 0;
  expect(() => heun(model.denoise, karrasLevels(24, 0.01, 60), new Float64Array(3), stopped)).toThrow(SamplingStopped);
  expect(model.calls()).toBe(5);
});

test('the levels fall from the highest to the lowest with equal steps of their seventh roots', () => {
  const levels = karrasLevels(9, 0.01, 60);
  expect(levels[0]).toBeCloseTo(60, 9);
  expect(levels.at(-1)).toBeCloseTo(0.01, 12);
  const roots = levels.map((level) => level ** (1 / 7));
  const steps = roots.slice(1).map((root, i) => (roots[i] ?? 0) - root);
  for (const step of steps) expect(step).toBeCloseTo(steps[0] ?? 0, 9);
});
