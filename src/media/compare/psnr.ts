import { type Pixels, peakOf } from '../pixels.ts';

/**
 * Peak signal-to-noise ratio in decibels: 10 log10(peak^2 / mean squared error), over all samples of all channels;
 * infinite for equal images. Where only one image has alpha, the other counts as opaque; where depths differ, both
 * are compared at 16 bits (an 8-bit sample x 257, so that white stays white). Where either image is transparent, no
 * colour is shown and only alpha counts. Throws where sizes differ or there are no pixels.
 */
export function psnr(a: Pixels, b: Pixels): number {
  return sampleErrors(a, b).psnrDb;
}

/**
 * The largest difference of two samples at one place, as a share of their range: 0 for equal images, 1 where one has
 * black and the other white. Alpha and depth as in `psnr`. Throws where sizes differ or there are no pixels.
 */
export function maxDifference(a: Pixels, b: Pixels): number {
  return sampleErrors(a, b).maxDifference;
}

/** What both of the above give, in one pass over the samples. */
export function sampleErrors(a: Pixels, b: Pixels): { readonly maxDifference: number; readonly psnrDb: number } {
  const { squares, largest, samples, peak } = compareSamples(a, b);
  return {
    maxDifference: largest / peak,
    psnrDb: squares === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((peak * peak * samples) / squares),
  };
}

/** Two images' samples beside each other. */
interface Difference {
  /** The sum of squared differences: exact while below 2^53, which 8 bits reach at a hundred gigapixels. */
  readonly squares: number;
  readonly largest: number;
  readonly samples: number;
  readonly peak: number;
}

function compareSamples(a: Pixels, b: Pixels): Difference {
  if (a.width !== b.width || a.height !== b.height) {
    throw new RangeError(`difference of ${a.width} x ${a.height} and ${b.width} x ${b.height}: sizes differ`);
  }
  if (a.width === 0 || a.height === 0) throw new RangeError('difference of no pixels');
  return a.depth === b.depth && a.channels === 3 && b.channels === 3 ? alike(a, b) : converted(a, b);
}

/** Of one depth and no alpha, as most are: the quick way. */
function alike(a: Pixels, b: Pixels): Difference {
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

function converted(a: Pixels, b: Pixels): Difference {
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

/** A sample at the depth whose largest value is `peak`; a missing alpha is opaque. */
function sampleAt({ channels, depth, data }: Pixels, pixel: number, channel: number, peak: number): number {
  if (channel >= channels) return peak;
  return (data[pixel * channels + channel] ?? 0) * (peak / peakOf({ depth }));
}
