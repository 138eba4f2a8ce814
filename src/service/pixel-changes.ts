import { RandomSource } from './sampler/random.ts';
import type { PixelChanges } from './sampling-job.ts';

/** Applies changes to red, green, blue bytes in place. `company` is how many other pictures were about. */
export function changePixels(rgb: Uint8Array, changes: PixelChanges, company: number): void {
  if (changes.blank) rgb.fill(0);
  if (changes.oneBit) {
    const middle = 3 * Math.floor(rgb.length / 6);
    rgb[middle] = (rgb[middle] ?? 0) ^ 1;
  }
  if (changes.batchDependent && company > 0) {
    // Another batch size, another order of sums: a few values round the other way, the same ones for the same company.
    const random = new RandomSource(company);
    for (let i = 0; i < rgb.length; i++) if ((random.bits() & 63) === 0) rgb[i] = (rgb[i] ?? 0) ^ 1;
  }
}
