import { arrivals, count, listed, listedInShort, MOST_WHOLE, plural } from './wording.ts';

/** `fast and fast-lcm`; above six `all 40 variants`, or `a, b, c and 35 more`. `ofAll`: how many there may be. */
export function variantNames(names: readonly string[], ofAll: number): string {
  return names.length === ofAll && ofAll > MOST_WHOLE
    ? `all ${plural(ofAll, 'variant')}`
    : listedInShort(names.map(shownName));
}

/**
 * A name, or words with names: a variant of the stored baseline is recorded as `slow@baseline`, shown as `slow (in
 * use)`.
 */
export function shownName(words: string): string {
  return words.replace(/(?<=[\w.-])@baseline(?![\w-])/g, ' (in use)');
}

/** `each variant`, `each of fast and fast-lcm`: for what is true of each alone, without comparison. */
export function eachVariant(names: readonly string[], ofAll: number): string {
  if (names.length === 1) return variantNames(names, 1);
  return names.length === ofAll ? 'each variant' : `each of ${listedInShort(names.map(shownName))}`;
}

/** `take 2`, or `take 2 at concurrency 4` of a sweep. */
export function takeName({ repeat, step }: { readonly repeat: number; readonly step: number | null }): string {
  return step === null ? `take ${repeat}` : `take ${repeat} at load ${step}`;
}

/** Follows the name of the suite: `build 7, sent from eu`; null without label and vantage. */
export function tellingApart({
  label,
  vantage,
}: {
  readonly label: string | null;
  readonly vantage?: string;
}): string | null {
  const parts = [...(label === null ? [] : [label]), ...(vantage === undefined ? [] : [`sent from ${vantage}`])];
  return parts.length === 0 ? null : parts.join(', ');
}

/** `sent through the proxy http://proxy:3128`, for each; `partly ...` if not all variants were. */
export function proxyWords(variants: readonly { readonly proxy?: string }[]): readonly string[] {
  const proxies = new Set(variants.flatMap(({ proxy }) => proxy ?? []));
  const whole = proxies.size === 1 && variants.every(({ proxy }) => proxy !== undefined);
  return [...proxies].map((proxy) => `${whole ? '' : 'partly '}sent through the proxy ${proxy}`);
}

/** For headings. */
export const KIND_NAMES = {
  'text-to-image': 'Text to image',
  'anime-image': 'Anime image',
  'image-to-video': 'Image to video',
  'text-to-video': 'Text to video',
  'image-edit': 'Image edit',
} as const;
type NamedKind = keyof typeof KIND_NAMES;

/** What the outputs of a kind are. */
export function outputNoun(kind: NamedKind): 'image' | 'video' | 'edit' {
  if (kind === 'image-edit') return 'edit';
  return kind === 'text-to-video' || kind === 'image-to-video' ? 'video' : 'image';
}

export type OutputNoun = ReturnType<typeof outputNoun> | 'animation';

/** What is said to change, and to be another one. */
export function pictureOf(noun: OutputNoun): 'picture' | 'video' | 'animation' {
  return noun === 'image' || noun === 'edit' ? 'picture' : noun;
}

const VIDEOS: readonly string[] = [KIND_NAMES['text-to-video'], KIND_NAMES['image-to-video']].map((name) =>
  name.toLowerCase(),
);

/** `text to image and a`: a kind if all its variants are meant, of several; `videos` for both kinds of them. */
export function kindOrVariantNames(
  names: readonly string[],
  variants: readonly { readonly name: string; readonly kind: NamedKind }[],
): string {
  const kinds = new Set(variants.map(({ kind }) => kind));
  const phrases = [...kinds].flatMap((kind) => {
    const all = variants.filter((variant) => variant.kind === kind);
    const ofKind = all.map(({ name }) => name).filter((name) => names.includes(name));
    return ofKind.length === all.length && all.length > 1 ? [KIND_NAMES[kind].toLowerCase()] : ofKind;
  });
  const videos = VIDEOS.every((kind) => phrases.includes(kind));
  if (videos) return listed(['videos', ...phrases.filter((name) => !VIDEOS.includes(name))]);
  return phrases.length > MOST_WHOLE ? listedInShort(names) : listed(phrases);
}

/** ` at concurrency 4`, ` at 2 / s`, for a step of a sweep; else nothing. */
export function atStep(step: number | null, { mode }: { readonly mode: 'closed' | 'open' }): string {
  if (step === null) return '';
  return mode === 'open' ? ` at ${arrivals(step)}` : ` at concurrency ${count(step)}`;
}
