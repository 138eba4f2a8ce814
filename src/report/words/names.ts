import type { Kind } from '../../suite/format/kind.ts';
import { listedInShort, MOST_WHOLE, plural } from '../../text/wording.ts';

/**
 * `fast and fast-lcm`; of more than six `all 40 variants`, or `a, b, c and 35 more`. @param ofAll how many there may be
 */
export function variantNames(names: readonly string[], ofAll: number): string {
  return names.length === ofAll && ofAll > MOST_WHOLE ? `all ${plural(ofAll, 'variant')}` : listedInShort(names);
}

/** `each variant`, `each of fast and fast-lcm`: true of each by itself, not of one compared with another. */
export function eachVariant(names: readonly string[], ofAll: number): string {
  if (names.length === 1) return listedInShort(names);
  return names.length === ofAll ? 'each variant' : `each of ${listedInShort(names)}`;
}

/** `take 2`, of a sweep `take 2 at concurrency 4`. */
export function takeName({ repeat, step }: { readonly repeat: number; readonly step: number | null }): string {
  return step === null ? `take ${repeat}` : `take ${repeat} at concurrency ${step}`;
}

/** For headings. */
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  'text-to-image': 'Text to image',
  'anime-image': 'Anime image',
  'image-to-video': 'Image to video',
  'text-to-video': 'Text to video',
};
