import { RandomSource } from '../sampler/random.ts';
import type { Video } from './video.ts';

/** What is done to the pixels of an image or video after it was sampled. */
export interface PixelChanges {
  /** All black, as a safety filter leaves it. */
  readonly blank?: boolean;
  /** The lowest bit of one pixel is turned over. */
  readonly oneBit?: boolean;
  /** Lowest bits depend on how many other images were waiting or being sampled. */
  readonly batchDependent?: boolean;
}

/** Applies changes to red, green, blue bytes in place. `concurrent` is how many other requests were running or queued. */
export function changePixels(rgb: Uint8Array, changes: PixelChanges, concurrent: number): void {
  if (changes.blank) rgb.fill(0);
  if (changes.oneBit) {
    const middle = 3 * Math.floor(rgb.length / 6);
    rgb[middle] = (rgb[middle] ?? 0) ^ 1;
  }
  if (changes.batchDependent && concurrent > 0) {
    // Another batch size, another order of sums: a few values round the other way, the same ones for as many concurrent requests.
    const random = new RandomSource(concurrent);
    for (let i = 0; i < rgb.length; i++) if ((random.bits() & 63) === 0) rgb[i] = (rgb[i] ?? 0) ^ 1;
  }
}

/** A block that the encoder sees as one, and levels of luma that it does not quantise away. */
const BLOCK = 16;
const STEP = 4;

/**
 * Applies changes to a video's frames in place, before they are encoded. An encoder that loses detail would lose lowest bits,
 * so where an image has a value changed a video has a block, by a few levels, in every frame.
 */
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
