import { expect, test } from 'vitest';
import { drawWhiteNoise } from '../../../src/service/sampler/draw-sample.ts';
import { toPlane } from '../../../src/service/sampler/fourier.ts';
import { layoutOf } from '../../../src/service/sampler/planes.ts';
import { RandomSource } from '../../../src/service/sampler/random.ts';
import { textureVariances } from '../../../src/service/sampler/texture.ts';

test('pixels of the texture have the amplitude that was asked for, colour less than light', () => {
  const layout = layoutOf({ width: 144, height: 108 });
  const variances = textureVariances({ luma: 0.1, chroma: 0.02, knee: 12 }, layout);
  const random = new RandomSource(2);
  const squares = { luma: 0, chroma: 0 };
  const pixels = { luma: 0, chroma: 0 };
  for (let draw = 0; draw < 12; draw++) {
    const state = new Float64Array(layout.length);
    drawWhiteNoise(random, layout, state);
    for (let i = 0; i < state.length; i++) state[i] = (state[i] ?? 0) * Math.sqrt(variances[i >> 1] ?? 0);
    for (const { channel, size, start, length } of layout.planes) {
      const plane = toPlane(state.subarray(start, start + length), size);
      squares[channel] += plane.reduce((sum, x) => sum + x * x, 0);
      pixels[channel] += plane.length;
    }
  }
  expect(Math.sqrt(squares.luma / pixels.luma) / 0.1).toBeCloseTo(1, 1);
  expect(Math.sqrt(squares.chroma / pixels.chroma) / 0.02).toBeCloseTo(1, 1);
});

test('power falls as the cube of the frequency, the same in all directions', () => {
  const layout = layoutOf({ width: 96, height: 96 });
  const variances = textureVariances({ luma: 0.1, chroma: 0.02, knee: 0.001 }, layout);
  const at = (u: number, v: number) => variances[u * 49 + v] ?? 0;
  expect(at(0, 8) / at(0, 16)).toBeCloseTo(8, 4);
  expect(at(8, 0) / at(0, 8)).toBeCloseTo(1, 10);
  expect(at(96 - 8, 0) / at(8, 0)).toBeCloseTo(1, 10);
});

test('over the frames of a video the variance of a pixel is the same, and nearly all of it is slow', () => {
  const texture = { luma: 0.1, chroma: 0.02, knee: 12 };
  const still = textureVariances(texture, layoutOf({ width: 48, height: 32 }));
  const layout = layoutOf({ width: 48, height: 32 }, 24);
  const moving = textureVariances(texture, layout, 24);
  const [luma] = layout.planes;
  const each = (luma?.length ?? 0) / 2 / 24;
  const over = Array.from({ length: 24 }, (_, w) => moving[w * each + 5] ?? 0);
  expect(over.reduce((sum, power) => sum + power, 0) / 24 / (still[5] ?? 0)).toBeCloseTo(1, 10);
  // What comes again within a third of a second or faster.
  const fast = over.slice(3, 22).reduce((sum, power) => sum + power, 0);
  expect(fast / over.reduce((sum, power) => sum + power, 0)).toBeLessThan(0.01);
});
