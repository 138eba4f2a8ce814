import type { RunSummary } from '../../analysis/analysis.ts';
import { groupBy } from '../../analysis/grouping.ts';
import { listed, listedInShort, MOST_WHOLE, plural } from '../../kit/wording.ts';
import type { RunVariant } from '../../record/run.ts';
import type { Kind } from '../../suite/format/kind.ts';

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

/** Behind the name of the suite: `build 7, sent from eu`; null without a label and a vantage. */
export function tellingApart({ label, vantage }: Pick<RunSummary, 'label' | 'vantage'>): string | null {
  const parts = [...(label === null ? [] : [label]), ...(vantage === undefined ? [] : [`sent from ${vantage}`])];
  return parts.length === 0 ? null : parts.join(', ');
}

/** `sent through the proxy http://proxy:3128`, for each; `partly ...` if not all variants were. */
export function proxyWords(variants: readonly Pick<RunVariant, 'proxy'>[]): readonly string[] {
  const proxies = new Set(variants.flatMap(({ proxy }) => proxy ?? []));
  const whole = proxies.size === 1 && variants.every(({ proxy }) => proxy !== undefined);
  return [...proxies].map((proxy) => `${whole ? '' : 'partly '}sent through the proxy ${proxy}`);
}

/** For headings. */
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  'text-to-image': 'Text to image',
  'anime-image': 'Anime image',
  'image-to-video': 'Image to video',
  'text-to-video': 'Text to video',
};

/** Of a kind: images or videos. */
export function outputNoun(kind: Kind): 'image' | 'video' {
  return kind === 'text-to-video' || kind === 'image-to-video' ? 'video' : 'image';
}

const VIDEOS: readonly string[] = [KIND_NAMES['text-to-video'], KIND_NAMES['image-to-video']].map((name) =>
  name.toLowerCase(),
);

/** `text to image and a`: a kind where all its variants are meant, of several; `videos` for both kinds of them. */
export function kindOrVariantNames(
  names: readonly string[],
  variants: readonly { readonly name: string; readonly kind: Kind }[],
): string {
  const kinds = groupBy(variants, ({ kind }) => kind);
  const said = [...kinds].flatMap(([kind, all]) => {
    const own = all.map(({ name }) => name).filter((name) => names.includes(name));
    return own.length === all.length && all.length > 1 ? [KIND_NAMES[kind].toLowerCase()] : own;
  });
  const videos = VIDEOS.every((kind) => said.includes(kind));
  if (videos) return listed(['videos', ...said.filter((name) => !VIDEOS.includes(name))]);
  return said.length > MOST_WHOLE ? listedInShort(names) : listed(said);
}
