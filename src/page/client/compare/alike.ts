import type { OutputFacts } from '../page-facts.ts';
import { type DrawnImage, largestDifference } from './draw-difference.ts';
import { loadMedia, type ShownMedia } from './load-media.ts';

/** Both originals, or both copies; null where one is missing. */
export async function alike(
  [one, first]: readonly [ShownMedia, OutputFacts],
  [other, second]: readonly [ShownMedia, OutputFacts],
): Promise<readonly [ShownMedia, ShownMedia] | null> {
  if (one.source === other.source) return [one, other];
  const copies = await Promise.all([loadMedia(first, 'copy'), loadMedia(second, 'copy')]);
  const [a, b] = copies;
  return a === undefined || b === undefined || a === null || b === null ? null : [a, b];
}

/** Their largest difference, of 255. Of a video it changes with time: null, as where it cannot be read. */
export async function largestOf(
  [one, first]: readonly [ShownMedia, OutputFacts],
  [other, second]: readonly [ShownMedia, OutputFacts],
): Promise<number | null> {
  const isVideo = ({ element }: DrawnImage): boolean => element instanceof HTMLVideoElement;
  if (isVideo(one) || isVideo(other)) return null;
  const largest = largestDifference(one, other);
  if (largest !== null) return largest;
  const [a, b] = await Promise.all([loadMedia(first, 'copy'), loadMedia(second, 'copy')]);
  return a === null || b === null ? null : largestDifference(a, b);
}
