import { expect, test } from 'vitest';
import { layoutOf } from '../../../src/service/sampler/planes.ts';
import { decodeRaster, encodeRaster } from '../../../src/service/sampler/raster.ts';

const layout = layoutOf({ width: 24, height: 16 });

function image(colour: (x: number, y: number) => readonly [number, number, number]): Uint8Array {
  const rgb = new Uint8Array(24 * 16 * 3);
  for (let y = 0; y < 16; y++) for (let x = 0; x < 24; x++) rgb.set(colour(x, y), (y * 24 + x) * 3);
  return rgb;
}

function furthest(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((far, value, i) => Math.max(far, Math.abs(value - (b[i] ?? Number.NaN))), 0);
}

test('an image without colour comes back to the bit', () => {
  const grey = image((x, y) => {
    const value = (x * 37 + y * 91) % 256;
    return [value, value, value];
  });
  expect(furthest(decodeRaster(encodeRaster(grey, layout), layout), grey)).toBe(0);
});

test('one colour comes back to the bit, whatever it is', () => {
  for (const colour of [
    [255, 0, 0],
    [12, 200, 77],
    [0, 0, 255],
  ] as const) {
    const flat = image(() => colour);
    expect(furthest(decodeRaster(encodeRaster(flat, layout), layout), flat)).toBeLessThanOrEqual(1);
  }
});

test('what is brighter than white is white', () => {
  const spectra = encodeRaster(
    image(() => [250, 250, 250]),
    layout,
  ).map((value) => value * 2);
  expect(decodeRaster(spectra, layout).every((value) => value === 255)).toBe(true);
});
