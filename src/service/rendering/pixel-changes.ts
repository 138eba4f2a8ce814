import type { Edit } from '../forms/generation.ts';
import { RandomSource } from '../sampler/random.ts';
import type { Image } from './image.ts';

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
export function changePixels(image: Image, changes: PixelChanges, concurrent: number, edit?: Edit): void {
  const { rgb } = image;
  if (edit !== undefined) changeEdit(rgb, edit, changes);
  if (changes.blank) rgb.fill(0);
  moveColours(image, changes);
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

/** Each value becomes one, or the mean of several, of its own channel. */
function moveColours({ rgb, width, height }: Image, { blurRadius = 0, mirrored = false }: PixelChanges): void {
  const at = (x: number, y: number, channel: number) => (y * width + x) * 3 + channel;
  const within = (x: number, most: number) => Math.min(most - 1, Math.max(0, x));
  const changeAll = (from: (read: (x: number, y: number) => number, x: number, y: number) => number) => {
    const before = rgb.slice();
    for (let channel = 0; channel < 3; channel++) {
      const read = (x: number, y: number) => before[at(within(x, width), within(y, height), channel)] ?? 0;
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rgb[at(x, y, channel)] = from(read, x, y);
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
