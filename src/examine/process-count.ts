import type { OutputFact } from '../record/model/fact.ts';
import type { StoredOutput } from './examiners.ts';

const BYTES = 2 * 1024 * 1024;
const PIXELS = 4 * 1024 * 1024;
const LEAST_SHARE = 1 / 4;

/**
 * The number of processes, up to `most`, for work of these shares. Starting one takes as long as examining a few small
 * images, so each whole share has one: a video, 2 MiB of images, 4 megapixels to compare, or four small images.
 */
export function processesFor(shares: readonly number[], most: number): number {
  const whole = Math.ceil(shares.reduce((sum, share) => sum + share, 0));
  return Math.max(1, Math.min(most, whole));
}

export function outputShare({ mime, bytes }: Pick<StoredOutput, 'mime' | 'bytes'>): number {
  return isVideo(mime) ? 1 : shareOf(bytes / BYTES);
}

/** The least share if one does not decode. */
export function pairShare(a: OutputFact | undefined, b: OutputFact | undefined): number {
  if (a?.decodes !== true || b?.decodes !== true) return LEAST_SHARE;
  return isVideo(a.mime) || isVideo(b.mime) ? 1 : shareOf((pixelsOf(a) + pixelsOf(b)) / PIXELS);
}

function isVideo(mime: string | null): boolean {
  return mime?.startsWith('video/') === true;
}

function pixelsOf({ width, height, frames }: { width: number; height: number; frames: number }): number {
  return width * height * frames;
}

function shareOf(share: number): number {
  return Math.min(1, Math.max(LEAST_SHARE, share));
}
