import type { ImageBox } from './still-image.ts';

/**
 * The size that several images are scaled into so that none is told by its size: no side is longer than `largestSide`
 * pixels, and none is enlarged.
 */
export function commonBox(sizes: readonly ImageBox[], largestSide: number): ImageBox {
  const width = Math.min(...sizes.map((size) => size.width));
  const height = Math.min(...sizes.map((size) => size.height));
  const scale = Math.min(1, largestSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(scale * width)), height: Math.max(1, Math.round(scale * height)) };
}
