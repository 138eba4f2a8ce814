import { expect, test } from 'vitest';
import { layoutOf } from '../../../src/service/sampler/planes.ts';
import { decodeRaster, encodeRaster } from '../../../src/service/sampler/raster.ts';

const layout = layoutOf({ width: 24, height: 16 });

function image(colour: (at: number) => readonly number[]): Uint8Array {
  return Uint8Array.from({ length: 24 * 16 * 3 }, (_, i) => colour(Math.floor(i / 3))[i % 3] ?? 0);
}

test.each<[string, (at: number) => readonly number[], number]>([
  ['without colour', (at) => Array(3).fill((at * 37) % 256), 0],
  ['of red', () => [255, 0, 0], 1],
  ['of green', () => [12, 200, 77], 1],
  ['of blue', () => [0, 0, 255], 1],
])('an image %s comes back from its spectra', (_what, colour, furthest) => {
  const before = image(colour);
  const after = decodeRaster(encodeRaster(before, layout), layout);
  expect(Math.max(...after.map((value, i) => Math.abs(value - (before[i] ?? 0))))).toBeLessThanOrEqual(furthest);
});

test('what is brighter than white is white', () => {
  const bright = encodeRaster(
    image(() => [250, 250, 250]),
    layout,
  ).map((value) => value * 2);
  expect(decodeRaster(bright, layout).every((value) => value === 255)).toBe(true);
});
