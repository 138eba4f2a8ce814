import type { Layout } from './planes.ts';
import type { RandomSource } from './random.ts';

/**
 * Fills `into` with the spectra of planes of white noise with variance 1.
 * Noise that is white over pixels is white over frequencies, so it is drawn there and no transform is needed.
 * A frequency that is its own mirror is real; in the first and last column the mirror is in the same column.
 */
export function drawWhiteNoise(random: RandomSource, layout: Layout, into: Float64Array): void {
  for (let i = 0; i < layout.length; i++) into[i] = random.normal() * Math.SQRT1_2;
  for (const { size, start, columns } of layout.planes) {
    for (const column of [0, columns - 1]) {
      for (let u = 0; u <= size.width / 2; u++) {
        const at = start + (u * columns + column) * 2;
        const mirror = (size.width - u) % size.width;
        if (mirror === u) {
          into[at] = (into[at] ?? 0) * Math.SQRT2;
          into[at + 1] = 0;
        } else {
          const to = start + (mirror * columns + column) * 2;
          into[to] = into[at] ?? 0;
          into[to + 1] = -(into[at + 1] ?? 0);
        }
      }
    }
  }
}
