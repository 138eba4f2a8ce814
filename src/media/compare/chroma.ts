import { type Pixels, peakOf } from '../pixels.ts';

/**
 * The mean over pixels of the distance of (Cb, Cr) of ITU-R BT.601, 0 to 255 for any depth: SSIM and PDQ only see
 * brightness. Transparency is shown on white. Throws if sizes differ or there are no pixels.
 */
export function chromaDistance(a: Pixels, b: Pixels): number {
  if (a.width !== b.width || a.height !== b.height) {
    throw new RangeError(`chroma of ${a.width} x ${a.height} and ${b.width} x ${b.height}: sizes differ`);
  }
  const pixels = a.width * a.height;
  if (pixels === 0) throw new RangeError('chroma of no pixels');
  const [scaleA, scaleB] = [255 / peakOf(a), 255 / peakOf(b)];
  let sum = 0;
  for (let pixel = 0, i = 0, j = 0; pixel < pixels; pixel += 1, i += a.channels, j += b.channels) {
    const shownA = scaleA * (a.channels === 4 ? (a.data[i + 3] ?? 0) / peakOf(a) : 1);
    const shownB = scaleB * (b.channels === 4 ? (b.data[j + 3] ?? 0) / peakOf(b) : 1);
    const red = shownA * (a.data[i] ?? 0) - shownB * (b.data[j] ?? 0);
    const green = shownA * (a.data[i + 1] ?? 0) - shownB * (b.data[j + 1] ?? 0);
    const blue = shownA * (a.data[i + 2] ?? 0) - shownB * (b.data[j + 2] ?? 0);
    const cb = -0.168736 * red - 0.331264 * green + 0.5 * blue;
    const cr = 0.5 * red - 0.418688 * green - 0.081312 * blue;
    sum += Math.sqrt(cb * cb + cr * cr);
  }
  return sum / pixels;
}
