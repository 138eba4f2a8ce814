import type { Kind } from '../../suite/suite.ts';

const NAMES: Readonly<Record<Kind, string>> = {
  'text-to-image': 'Text to image',
  'anime-image': 'Anime image',
  'image-to-video': 'Image to video',
  'text-to-video': 'Text to video',
};

/** A kind as a heading. */
export function kindName(kind: string): string {
  return kind in NAMES ? NAMES[kind as Kind] : kind;
}
