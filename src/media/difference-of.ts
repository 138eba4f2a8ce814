import { correlation, sampleErrors } from './compare/psnr.ts';
import { SHRUNK_SIDE } from './compare/shrink.ts';
import { fromAfar, ssim } from './compare/ssim.ts';
import { VIDEO_LIMITS } from './decode-video.ts';
import type { Difference } from './difference.ts';
import type { Libav } from './libav.ts';
import { LEAST_QUALITY, pdqDistance, type Shrunk, shrunkOf } from './pdq.ts';
import { type Pixels, peakOf, type TimedPixels } from './pixels.ts';
import { type OnGrounds, onEachGround, onGrounds, type Views, viewsOf } from './still/grounds.ts';
import { type OpenVideo, openVideo } from './video/video-frames.ts';
import { readFrames, VideoTimeline } from './video/video-pixels.ts';

/**
 * Mean distance of (Cb, Cr) of ITU-R BT.601 over pixels seen from afar, in levels of 255 for any depth (green and
 * magenta: 272). SSIM and PDQ only see brightness; files store chroma coarsely, which nobody sees from afar. Equal on
 * any grey ground. Throws if sizes differ or are 0.
 */
function chromaDistance(a: Pixels, b: Pixels): number {
  const { width, height } = a;
  if (width !== b.width || height !== b.height) {
    throw new RangeError(`chroma of ${width} x ${height} and ${b.width} x ${b.height}: sizes differ`);
  }
  if (width * height === 0) throw new RangeError('chroma of no pixels');
  // Linear, so that differences can be shrunk.
  const cb = { width, height, data: new Float64Array(width * height) };
  const cr = { width, height, data: new Float64Array(width * height) };
  const [scaleA, scaleB] = [255 / peakOf(a), 255 / peakOf(b)];
  for (let at = 0, i = 0, j = 0; at < cb.data.length; at += 1, i += a.channels, j += b.channels) {
    const shownA = scaleA * (a.channels === 4 ? (a.data[i + 3] ?? 0) / peakOf(a) : 1);
    const shownB = scaleB * (b.channels === 4 ? (b.data[j + 3] ?? 0) / peakOf(b) : 1);
    const red = shownA * (a.data[i] ?? 0) - shownB * (b.data[j] ?? 0);
    const green = shownA * (a.data[i + 1] ?? 0) - shownB * (b.data[j + 1] ?? 0);
    const blue = shownA * (a.data[i + 2] ?? 0) - shownB * (b.data[j + 2] ?? 0);
    cb.data[at] = -0.168736 * red - 0.331264 * green + 0.5 * blue;
    cr.data[at] = 0.5 * red - 0.418688 * green - 0.081312 * blue;
  }
  const [{ data: blues }, { data: reds }] = [fromAfar(cb), fromAfar(cr)];
  let sum = 0;
  for (const [at, blue] of blues.entries()) sum += Math.sqrt(blue ** 2 + (reds[at] ?? 0) ** 2);
  return sum / blues.length;
}

/** A frame of a sequence; comparisons keep what they computed in it. */
export interface SequenceFrame extends TimedPixels {
  shrunk?: OnGrounds<Shrunk>;
}

export interface Sequence {
  readonly frames: Iterable<SequenceFrame>;
  readonly count: number;
  /** Mean seconds between frames; null for a still. */
  readonly frameS: number | null;
}

/** Pixels of frames for SSIM, chroma, PDQ and correlation: about half a minute of work. */
const SIMILARITY_PIXELS = 256 * 1024 * 1024;

/**
 * The difference of two sequences. Frames are unpaired if further apart than a frame's duration. Reads each frame once;
 * `look` gets pairs whose similarity is measured.
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
  let viewsOfOne: Views | undefined;
  let viewsOfOther: Views | undefined;
  for (const [frameOfOne, frameOfOther] of nearestByTime(longer.frames, shorter.frames, farthestS)) {
    if (frameOfOther === null) {
      unpaired += 1;
      ssims.push(0);
      distances.push(256);
      correlations.push(0);
      continue;
    }
    const [one, other] = [frameOfOne.pixels, frameOfOther.pixels];
    if (frames === 0) stride = Math.max(1, Math.ceil((one.width * one.height * longer.count) / SIMILARITY_PIXELS));
    sameSize &&= one.width === other.width && one.height === other.height;
    if (sameSize) {
      const { maxDifference, psnrDb } = sampleErrors(one, other);
      worst = {
        maxDifference: Math.max(worst.maxDifference, maxDifference),
        psnrDb: Math.min(worst.psnrDb, psnrDb),
      };
    }
    if (frames % stride === 0) {
      similarityFrames += 1;
      look(one, other);
      viewsOfOne = viewsOf(one, viewsOfOne);
      viewsOfOther = viewsOf(other, viewsOfOther);
      if (sameSize) {
        const views = onEachGround(viewsOfOne, viewsOfOther);
        ssims.push(Math.min(...views.map(([x, y]) => ssim(fromAfar(x), fromAfar(y)))));
        chromas.push(chromaDistance(one, other));
      }
      frameOfOne.shrunk ??= onGrounds(viewsOfOne, shrunkOf);
      frameOfOther.shrunk ??= onGrounds(viewsOfOther, shrunkOf);
      const shrunk = onEachGround(frameOfOne.shrunk, frameOfOther.shrunk);
      correlations.push(Math.min(...shrunk.map(([a, b]) => correlation(a.block, b.block))));
      const sure = shrunk.filter(([a, b]) => Math.min(a.hash.quality, b.hash.quality) >= LEAST_QUALITY);
      if (sure.length > 0) distances.push(Math.max(...sure.map(([a, b]) => pdqDistance(a.hash.hash, b.hash.hash))));
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

/** The earlier frame counts unless the later is nearer by more: containers round times. */
const TIE_S = 0.002;

/** Pairs frames of `ones` with the nearest of `others`, the earlier of ties; null if too far. */
function* nearestByTime(
  ones: Iterable<SequenceFrame>,
  others: Iterable<SequenceFrame>,
  farthestS: number,
): Generator<readonly [one: SequenceFrame, other: SequenceFrame | null]> {
  const rest = others[Symbol.iterator]();
  const next = (): SequenceFrame | null => {
    const { done, value } = rest.next();
    return done === true ? null : value;
  };
  let shown = next();
  let coming = next();
  try {
    for (const one of ones) {
      const awayS = ({ atS }: SequenceFrame): number => Math.abs(atS - one.atS);
      while (shown !== null && coming !== null && awayS(coming) < awayS(shown) - TIE_S) {
        shown = coming;
        coming = next();
      }
      yield [one, shown !== null && awayS(shown) <= farthestS ? shown : null];
    }
  } finally {
    rest.return?.();
  }
}

function rankedAt(values: readonly number[], share: number): number {
  const sorted = [...values].sort((x, y) => x - y);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function imageSequence(frames: readonly SequenceFrame[]): Sequence {
  const lastS = frames.at(-1)?.atS ?? 0;
  return { frames, count: frames.length, frameS: frames.length > 1 ? lastS / (frames.length - 1) : null };
}

interface DeclaredFrames {
  readonly frames: number;
  readonly fps: number | null;
}

export function videoSequence(frames: Iterable<TimedPixels>, { frames: count, fps }: DeclaredFrames): Sequence {
  return { frames, count, frameS: count > 1 && fps !== null ? 1 / fps : null };
}

/** `close` frees FFmpeg's memory. */
export interface OpenSequence {
  readonly sequence: Sequence;
  readonly close: () => void;
}

/** Decodes frames on demand. Throws DecodeError or NoDecoder, also later. */
export function openVideoSequence(
  libav: Libav,
  bytes: Uint8Array,
  mime: string,
  declared: DeclaredFrames,
): OpenSequence {
  const open = openVideo(libav, bytes, mime, VIDEO_LIMITS.pixels);
  return { sequence: videoSequence(timedFrames(libav, open), declared), close: open.close };
}

function* timedFrames(libav: Libav, { stream, frames }: OpenVideo): Generator<TimedPixels> {
  const reader = readFrames(libav, stream);
  const timeline = new VideoTimeline(stream);
  try {
    for (const frame of frames()) {
      timeline.add(frame);
      yield { atS: timeline.sinceFirstS, pixels: reader.pixelsOf(frame) };
    }
  } finally {
    reader.close();
  }
}

/** Pixels of a sequence's frames in memory, with the 64 x 64 numbers that a comparison makes of each. */
export function heldPixels({ width, height, frames }: Readonly<Record<'width' | 'height' | 'frames', number>>): number {
  return frames * (width * height + 2 * SHRUNK_SIDE * SHRUNK_SIDE);
}
