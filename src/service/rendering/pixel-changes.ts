import type { Edit } from '../forms/generation.ts';
import { RandomSource } from '../sampler/random.ts';
import type { Image, Video } from './image.ts';

export interface PixelChanges {
  readonly blank?: boolean;
  readonly oneBit?: boolean;
  /** Each pixel becomes the mean of those within so many pixels. */
  readonly blurRadius?: number;
  readonly mirrored?: boolean;
  /** Lowest bits depend on how many other images were waiting or being sampled. */
  readonly batchDependent?: boolean;
  /** An edit becomes its first image. */
  readonly echoInput?: boolean;
  /** Each value that the mask of an edit keeps changes by so much. */
  readonly leak?: number;
}

function changeEdit(rgb: Uint8Array, { first, mask }: Edit, { echoInput = false, leak = 0 }: PixelChanges): void {
  if (echoInput) rgb.set(first);
  if (leak === 0 || mask === null) return;
  for (const [i, value] of rgb.entries()) {
    if (mask[Math.floor(i / 3)] === 0) rgb[i] = value + (value < 128 ? leak : -leak);
  }
}

/** @param concurrent how many other requests were running or queued */
export function changePixels(
  { rgb, width, height }: Image,
  changes: PixelChanges,
  concurrent: number,
  edit?: Edit,
): void {
  if (edit !== undefined) changeEdit(rgb, edit, changes);
  if (changes.blank) rgb.fill(0);
  changePlane(rgb, { width, height, channels: 3 }, changes);
  if (changes.oneBit) {
    const middle = 3 * Math.floor(rgb.length / 6);
    rgb[middle] = (rgb[middle] ?? 0) ^ 1;
  }
  if (changes.batchDependent && concurrent > 0) {
    // Another batch size changes the order of sums: a few values round differently, the same ones for as many
    // concurrent requests.
    const random = new RandomSource(concurrent);
    for (let i = 0; i < rgb.length; i++) if ((random.bits() & 63) === 0) rgb[i] = (rgb[i] ?? 0) ^ 1;
  }
}

/** One block of the encoder, and levels of luma that survive its quantisation. */
const BLOCK = 16;
const STEP = 4;

/** Before encoding, which would lose lowest bits: so a block in every frame changes by a few levels. */
export function changeFrames({ frames, width, height }: Video, changes: PixelChanges, concurrent: number): void {
  const across = Math.floor(width / BLOCK);
  const blocks = across * Math.floor(height / BLOCK);
  const change = (block: number) => {
    const start = Math.floor(block / across) * BLOCK * width + (block % across) * BLOCK;
    for (const frame of frames) {
      for (let y = 0; y < BLOCK; y++) {
        for (let at = start + y * width; at < start + y * width + BLOCK; at++) {
          frame[at] = (frame[at] ?? 0) + ((frame[at] ?? 0) < 128 ? STEP : -STEP);
        }
      }
    }
  };
  if (changes.blank) for (const frame of frames) frame.fill(16, 0, width * height).fill(128, width * height);
  for (const frame of frames) {
    for (const [at, by] of [
      [0, 1],
      [width * height, 2],
      [(width * height * 5) / 4, 2],
    ] as const) {
      const plane = frame.subarray(at, at + (width / by) * (height / by));
      changePlane(plane, { width: width / by, height: height / by, channels: 1 }, changes);
    }
  }
  if (changes.oneBit) change(blocks >> 1);
  if (changes.batchDependent && concurrent > 0) {
    const random = new RandomSource(concurrent);
    for (let block = 0; block < blocks; block++) if ((random.bits() & 15) === 0) change(block);
  }
}

interface PlaneSize {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** Samples of a pixel lie beside each other; rows follow each other. */
function changePlane(
  plane: Uint8Array,
  { width, height, channels }: PlaneSize,
  { blurRadius = 0, mirrored = false }: PixelChanges,
): void {
  const at = (x: number, y: number, channel: number) => (y * width + x) * channels + channel;
  const within = (x: number, most: number) => Math.min(most - 1, Math.max(0, x));
  const changeAll = (from: (read: (x: number, y: number) => number, x: number, y: number) => number) => {
    const before = plane.slice();
    for (let channel = 0; channel < channels; channel++) {
      const read = (x: number, y: number) => before[at(within(x, width), within(y, height), channel)] ?? 0;
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) plane[at(x, y, channel)] = from(read, x, y);
    }
  };
  const meanAlong = (read: (step: number) => number) => {
    let sum = 0;
    for (let step = -blurRadius; step <= blurRadius; step++) sum += read(step);
    return Math.round(sum / (2 * blurRadius + 1));
  };
  if (mirrored) changeAll((read, x, y) => read(width - 1 - x, y));
  if (blurRadius === 0) return;
  changeAll((read, x, y) => meanAlong((step) => read(x + step, y)));
  changeAll((read, x, y) => meanAlong((step) => read(x, y + step)));
}
