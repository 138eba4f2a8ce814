import type { OutputFact } from '../record/model/fact.ts';
import type { StoredOutput } from './examiners.ts';

/** What is worth a process of its own. */
const BYTES = 2 * 1024 * 1024;
const PIXELS = 4 * 1024 * 1024;
/** The share in it of an image, however small. */
const LEAST_SHARE = 1 / 4;

/**
 * How many processes, up to `most`, take part in work of these shares. To start one takes as long as to examine a few small images, so
 * there is one for each whole: a video, 2 MiB of images, 4 megapixels to compare, or four images that are smaller.
 */
export function processesFor(shares: readonly number[], most: number): number {
  const whole = Math.ceil(shares.reduce((sum, share) => sum + share, 0));
  return Math.max(1, Math.min(most, whole));
}

/** The share of an output that is to be examined. */
export function outputShare({ mime, bytes }: Pick<StoredOutput, 'mime' | 'bytes'>): number {
  return isVideo(mime) ? 1 : shareOf(bytes / BYTES);
}

/** The share of two outputs that are to be compared; the least where one does not decode. */
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
