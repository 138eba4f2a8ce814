import { type Pixels, peakOf } from '../pixels.ts';

/**
 * 10 log10(peak^2 / mean squared error) in decibels over all samples; infinite for equal images. A missing alpha is
 * opaque; different depths are compared at 16 bits (an 8-bit sample x 257, so white stays white). If either is
 * transparent, only alpha counts. Throws if sizes differ or are 0.
 */
export function psnr(a: Pixels, b: Pixels): number {
  return sampleErrors(a, b).psnrDb;
}

/** As a share of the range, 0 to 1. Alpha, depth and errors as in `psnr`. */
export function maxDifference(a: Pixels, b: Pixels): number {
  return sampleErrors(a, b).maxDifference;
}

export function sampleErrors(a: Pixels, b: Pixels): { readonly maxDifference: number; readonly psnrDb: number } {
  const { squares, largest, samples, peak } = compareSamples(a, b);
  return {
    maxDifference: largest / peak,
    psnrDb: squares === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((peak * peak * samples) / squares),
  };
}

interface SquaredDifference {
  /** Exact below 2^53, which 8 bits reach at a hundred gigapixels. */
  readonly squares: number;
  readonly largest: number;
  readonly samples: number;
  readonly peak: number;
}

function compareSamples(a: Pixels, b: Pixels): SquaredDifference {
  if (a.width !== b.width || a.height !== b.height) {
    throw new RangeError(`difference of ${a.width} x ${a.height} and ${b.width} x ${b.height}: sizes differ`);
  }
  if (a.width === 0 || a.height === 0) throw new RangeError('difference of no pixels');
  return a.depth === b.depth && a.channels === 3 && b.channels === 3 ? alike(a, b) : converted(a, b);
}

/** The fast way for equal depths and no alpha, as most images have. */
function alike(a: Pixels, b: Pixels): SquaredDifference {
  const [x, y] = [a.data, b.data];
  const samples = a.width * a.height * a.channels;
  let squares = 0;
  let largest = 0;
  for (let at = 0; at < samples; at += 1) {
    const difference = Math.abs((x[at] ?? 0) - (y[at] ?? 0));
    squares += difference * difference;
    if (difference > largest) largest = difference;
  }
  return { squares, largest, samples, peak: peakOf(a) };
}

function converted(a: Pixels, b: Pixels): SquaredDifference {
  const channels = Math.max(a.channels, b.channels);
  const peak = Math.max(peakOf(a), peakOf(b));
  const pixels = a.width * a.height;
  let squares = 0;
  let largest = 0;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const isShown = sampleAt(a, pixel, 3, peak) > 0 && sampleAt(b, pixel, 3, peak) > 0;
    for (let channel = isShown ? 0 : 3; channel < channels; channel += 1) {
      const difference = Math.abs(sampleAt(a, pixel, channel, peak) - sampleAt(b, pixel, channel, peak));
      squares += difference * difference;
      if (difference > largest) largest = difference;
    }
  }
  return { squares, largest, samples: pixels * channels, peak };
}

/** A missing alpha is opaque. */
function sampleAt({ channels, depth, data }: Pixels, pixel: number, channel: number, peak: number): number {
  if (channel >= channels) return peak;
  return (data[pixel * channels + channel] ?? 0) * (peak / peakOf({ depth }));
}

/** An image with less variance shows nothing: the variance of rounding to a level (a uniform distribution). */
const NOTHING = 1 / 12;

/**
 * Pearson's correlation of two images of one size, -1 to 1: whether light and dark are at the same places, at any
 * contrast. Two images that show nothing have 1; one of them and another image have 0.
 */
export function correlation(a: Float32Array, b: Float32Array): number {
  const meanA = mean(a);
  const meanB = mean(b);
  let squaresA = 0;
  let squaresB = 0;
  let products = 0;
  for (let at = 0; at < a.length; at += 1) {
    const x = (a[at] ?? 0) - meanA;
    const y = (b[at] ?? 0) - meanB;
    squaresA += x * x;
    squaresB += y * y;
    products += x * y;
  }
  const least = NOTHING * a.length;
  if (squaresA < least || squaresB < least) return squaresA < least && squaresB < least ? 1 : 0;
  // Rounding may exceed the range slightly.
  return Math.min(1, Math.max(-1, products / Math.sqrt(squaresA * squaresB)));
}

function mean(values: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += values[at] ?? 0;
  return sum / values.length;
}
