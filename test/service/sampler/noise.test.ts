import { expect, test } from 'vitest';
import { drawWhiteNoise } from '../../../src/service/sampler/draw-sample.ts';
import { toPlane, toSpectrum, transformTime } from '../../../src/service/sampler/fourier.ts';
import { layoutOf } from '../../../src/service/sampler/planes.ts';
import { RandomSource } from '../../../src/service/sampler/random.ts';

test('noise drawn over frequencies is real white noise of variance 1 over pixels', () => {
  const layout = layoutOf({ width: 96, height: 64 });
  const noise = new Float64Array(layout.length);
  drawWhiteNoise(new RandomSource(5), layout, noise);
  for (const { size, start, length } of layout.planes) {
    const spectrum = noise.slice(start, start + length);
    const plane = toPlane(spectrum, size);
    // Only the spectrum of a real plane comes back unchanged: each frequency agrees with its mirror.
    const again = toSpectrum(plane, size);
    expect(Math.max(...again.map((value, i) => Math.abs(value - (spectrum[i] ?? 0))))).toBeLessThan(1e-12);
    const count = plane.length;
    const variance = plane.reduce((sum, x) => sum + x * x, 0) / count;
    expect(Math.abs(variance - 1)).toBeLessThan(4 * Math.sqrt(2 / count));
    const neighbours = plane.reduce((sum, x, i) => sum + x * (plane[i + 1] ?? 0), 0) / count;
    expect(Math.abs(neighbours)).toBeLessThan(4 / Math.sqrt(count));
  }
});

test('noise drawn over frequencies of space and time is real white noise over the pixels of each frame', () => {
  const layout = layoutOf({ width: 48, height: 32 }, 12);
  const noise = new Float64Array(layout.length);
  drawWhiteNoise(new RandomSource(6), layout, noise);
  for (const { size, start, length } of layout.planes) {
    const frames = transformTime(noise.slice(start, start + length), 12, 1);
    const each = length / 12;
    let squares = 0;
    let neighbours = 0;
    let before: Float64Array | null = null;
    for (let at = 0; at < length; at += each) {
      const spectrum = frames.subarray(at, at + each);
      const plane = toPlane(spectrum, size);
      // Real in space and time: nothing is lost on the way to the pixels.
      const again = toSpectrum(plane, size);
      expect(Math.max(...again.map((value, i) => Math.abs(value - (spectrum[i] ?? 0))))).toBeLessThan(1e-12);
      squares += plane.reduce((sum, x) => sum + x * x, 0);
      const last: Float64Array = before ?? new Float64Array(plane.length);
      neighbours += plane.reduce((sum, x, i) => sum + x * (last[i] ?? 0), 0);
      before = plane;
    }
    const count = 12 * size.width * size.height;
    expect(Math.abs(squares / count - 1)).toBeLessThan(4 * Math.sqrt(2 / count));
    expect(Math.abs(neighbours / count)).toBeLessThan(4 / Math.sqrt(count));
  }
});
