import type { PlaneLayout } from './planes.ts';
import type { RandomSource } from './random.ts';

/**
 * Fills `into` with spectra of white noise with variance 1; for a video over time too. Noise that is white over pixels
 * is white over frequencies, so no transform is needed. A frequency that is its own mirror is real; in the first and
 * last column the mirror is in the same column.
 */
export function drawWhiteNoise(random: RandomSource, layout: PlaneLayout, into: Float64Array): void {
  for (let i = 0; i < layout.length; i++) into[i] = random.normal() * Math.SQRT1_2;
  const { frames } = layout;
  for (const { size, start, columns } of layout.planes) {
    for (let row = 0; row < frames * size.width; row++) {
      const [w, u] = [Math.floor(row / size.width), row % size.width];
      const mirror = ((frames - w) % frames) * size.width + ((size.width - u) % size.width);
      if (mirror < row) continue;
      for (const column of [0, columns - 1]) {
        const at = start + (row * columns + column) * 2;
        if (mirror === row) {
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
