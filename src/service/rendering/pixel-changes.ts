import { RandomSource } from '../sampler/random.ts';
import type { Video } from './video.ts';

export interface PixelChanges {
  /** All black, as after a safety filter. */
  readonly blank?: boolean;
  readonly oneBit?: boolean;
  /** Lowest bits depend on how many other images were waiting or being sampled. */
  readonly batchDependent?: boolean;
}

/** @param concurrent how many other requests were running or queued */
export function changePixels(rgb: Uint8Array, changes: PixelChanges, concurrent: number): void {
  if (changes.blank) rgb.fill(0);
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
  if (changes.oneBit) change(blocks >> 1);
  if (changes.batchDependent && concurrent > 0) {
    const random = new RandomSource(concurrent);
    for (let block = 0; block < blocks; block++) if ((random.bits() & 15) === 0) change(block);
  }
}
