import { expect, test } from 'vitest';
import { drawWhiteNoise } from '../../../src/service/sampler/draw-sample.ts';
import { toPlane, toSpectrum, transformTime } from '../../../src/service/sampler/fourier.ts';
import { layoutOf } from '../../../src/service/sampler/planes.ts';
import { RandomSource } from '../../../src/service/sampler/random.ts';

test.each([
  ['an image', { width: 96, height: 64 }, 1],
  ['a video', { width: 48, height: 32 }, 12],
])('noise drawn over the frequencies of %s is real white noise of variance 1 over pixels', (_what, image, frames) => {
  const layout = layoutOf(image, frames);
  const noise = new Float64Array(layout.length);
  drawWhiteNoise(new RandomSource(5), layout, noise);
  for (const { size, start, length } of layout.planes) {
    const spectra = transformTime(noise.slice(start, start + length), frames, 1);
    const pixels: number[] = [];
    for (let at = 0; at < length; at += length / frames) {
      const spectrum = spectra.subarray(at, at + length / frames);
      const plane = toPlane(spectrum, size);
      // Only the spectrum of a real plane comes back unchanged: each frequency agrees with its mirror.
      const again = toSpectrum(plane, size);
      expect(Math.max(...again.map((value, i) => Math.abs(value - (spectrum[i] ?? 0))))).toBeLessThan(1e-12);
      pixels.push(...plane);
    }
    const count = pixels.length;
    expect(Math.abs(pixels.reduce((sum, x) => sum + x * x, 0) / count - 1)).toBeLessThan(4 * Math.sqrt(2 / count));
    // The next pixel of a row, and the same one in the next frame.
    for (const step of [1, size.width * size.height]) {
      const neighbours = pixels.reduce((sum, x, i) => sum + x * (pixels[i + step] ?? 0), 0) / count;
      expect(Math.abs(neighbours)).toBeLessThan(4 / Math.sqrt(count));
    }
  }
});
