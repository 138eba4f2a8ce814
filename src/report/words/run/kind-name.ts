import type { Kind } from '../../../suite/format/kind.ts';

/** For headings. */
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  'text-to-image': 'Text to image',
  'anime-image': 'Anime image',
  'image-to-video': 'Image to video',
  'text-to-video': 'Text to video',
};
