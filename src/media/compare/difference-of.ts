import { lumaOf, type Pixels, peakOf, type TimedPixels } from '../pixels.ts';
import { correlation } from './correlation.ts';
import type { Difference } from './difference.ts';
import { pdq, pdqDistance } from './pdq.ts';
import { sampleErrors } from './psnr.ts';
import { shrink } from './shrink.ts';
import { ssim } from './ssim.ts';

/**
 * The mean over pixels of the distance of (Cb, Cr) of ITU-R BT.601, 0 to 255 for any depth: SSIM and PDQ only see
 * brightness. Transparency is shown on white. Throws if sizes differ or there are no pixels.
 */
function chromaDistance(a: Pixels, b: Pixels): number {
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

export interface Sequence {
  readonly frames: Iterable<TimedPixels>;
  readonly count: number;
  /** Mean seconds between frames; null for a still. */
  readonly frameS: number | null;
}

/** Below this quality PDQ is unreliable. */
export const LEAST_QUALITY = 50;

/** Pixels of frames for SSIM, chroma, PDQ and correlation in all: about half a minute of work. */
const SIMILARITY_PIXELS = 256 * 1024 * 1024;

/**
 * Frames further apart than a frame's duration are unpaired. Reads each frame once and keeps none.
 *
 * @param look is handed each two frames whose similarity is measured
 */
export function differenceOf(
  a: Sequence,
  b: Sequence,
  look: (one: Pixels, other: Pixels) => void = () => {},
): Difference {
  const [longer, shorter] = b.count > a.count ? [b, a] : [a, b];
  const farthestS = Math.max(longer.frameS ?? Number.POSITIVE_INFINITY, shorter.frameS ?? 0) * 1.01;
  const ssims: number[] = [];
  const chromas: number[] = [];
  const distances: number[] = [];
  const correlations: number[] = [];
  let worst = { maxDifference: 0, psnrDb: Number.POSITIVE_INFINITY };
  let sameSize = true;
  let frames = 0;
  let unpaired = 0;
  let similarityFrames = 0;
  let stride = 1;
  for (const { one, other } of nearestByTime(longer.frames, shorter.frames, farthestS)) {
    if (other === null) {
      unpaired += 1;
      ssims.push(0);
      distances.push(256);
      correlations.push(0);
      continue;
    }
    if (frames === 0) stride = Math.max(1, Math.ceil((one.width * one.height * longer.count) / SIMILARITY_PIXELS));
    sameSize &&= one.width === other.width && one.height === other.height;
    if (sameSize) worst = worseOf(worst, one, other);
    if (frames % stride === 0) {
      similarityFrames += 1;
      look(one, other);
      const [lumaOfOne, lumaOfOther] = [lumaOf(one), lumaOf(other)];
      if (sameSize) {
        ssims.push(ssim(lumaOfOne, lumaOfOther));
        chromas.push(chromaDistance(one, other));
      }
      const [blockOfOne, blockOfOther] = [shrink(lumaOfOne), shrink(lumaOfOther)];
      correlations.push(correlation(blockOfOne, blockOfOther));
      const [hashOfOne, hashOfOther] = [pdq(lumaOfOne, blockOfOne), pdq(lumaOfOther, blockOfOther)];
      if (Math.min(hashOfOne.quality, hashOfOther.quality) >= LEAST_QUALITY) {
        distances.push(pdqDistance(hashOfOne.hash, hashOfOther.hash));
      }
    }
    frames += 1;
  }
  return {
    frames,
    unpaired,
    samples: sameSize
      ? { maxDifference: worst.maxDifference, psnrDb: Number.isFinite(worst.psnrDb) ? worst.psnrDb : null }
      : null,
    ssim: sameSize && ssims.length > 0 ? { p5: rankedAt(ssims, 0.05), worst: Math.min(...ssims) } : null,
    chroma: sameSize && chromas.length > 0 ? rankedAt(chromas, 0.95) : null,
    pdqDistance: distances.length === unpaired ? null : rankedAt(distances, 0.5),
    correlation: rankedAt(correlations, 0.5),
    similarityFrames,
  };
}

interface ImagePair {
  readonly one: Pixels;
  readonly other: Pixels | null;
}

/** Half-way between two frames the earlier is shown, also if a container rounds times. */
const TIE_S = 0.002;

/** Each frame of `ones` with the nearest of `others`, the earlier of ties; null if that is too far. */
function* nearestByTime(
  ones: Iterable<TimedPixels>,
  others: Iterable<TimedPixels>,
  farthestS: number,
): Generator<ImagePair> {
  const rest = others[Symbol.iterator]();
  const next = (): TimedPixels | null => {
    const { done, value } = rest.next();
    return done === true ? null : value;
  };
  let shown = next();
  let coming = next();
  try {
    for (const { atS, pixels: one } of ones) {
      while (shown !== null && coming !== null && Math.abs(coming.atS - atS) < Math.abs(shown.atS - atS) - TIE_S) {
        shown = coming;
        coming = next();
      }
      const isNear = shown !== null && Math.abs(shown.atS - atS) <= farthestS;
      yield { one, other: isNear && shown !== null ? shown.pixels : null };
    }
  } finally {
    rest.return?.();
  }
}

function worseOf(
  worst: { readonly maxDifference: number; readonly psnrDb: number },
  a: Pixels,
  b: Pixels,
): { maxDifference: number; psnrDb: number } {
  const errors = sampleErrors(a, b);
  return {
    maxDifference: Math.max(worst.maxDifference, errors.maxDifference),
    psnrDb: Math.min(worst.psnrDb, errors.psnrDb),
  };
}

function rankedAt(values: readonly number[], share: number): number {
  const sorted = [...values].sort((x, y) => x - y);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
