import { copyOf, smallThumbnailOf, thumbnailOf } from '../../../src/media/decode.ts';
import type { Pixels } from '../../../src/media/pixels.ts';
import { paint } from '../../fixtures/painted-images.ts';

/** What examination keeps of an image. */
export interface SmallImages {
  readonly thumbnail: Uint8Array;
  readonly smallThumbnail: Uint8Array | null;
  readonly copy: Uint8Array | null;
}

const SIDE = 512;
/** Levels of grain, so that a thumbnail weighs about 11 KB: as much as those of detailed images do. */
const GRAIN = 50;

/** So many noisy images, as examination keeps them. */
export async function noisyImages(count: number): Promise<readonly SmallImages[]> {
  const scene = paint({ texture: 'scene', width: SIDE, height: SIDE, seed: 5 });
  const images: SmallImages[] = [];
  for (let seed = 1; seed <= count; seed += 1) {
    const pixels = grained(scene, seed);
    images.push({
      thumbnail: await thumbnailOf(pixels),
      smallThumbnail: await smallThumbnailOf(pixels),
      copy: await copyOf(pixels),
    });
  }
  return images;
}

function grained({ data, ...shape }: Pixels, seed: number): Pixels {
  let state = seed * 2654435761 + 1;
  const noisy = Uint8Array.from(data, (level) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return Math.max(0, Math.min(255, level + ((state >>> 24) / 255 - 0.5) * GRAIN));
  });
  return { ...shape, data: noisy, depth: 8 };
}
