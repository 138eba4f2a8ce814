import type { Difference } from './difference.ts';
import { isAtLeast, type Level } from './level.ts';

/** How like an output is to that of the variant it is compared with, nearest first. It says nothing of quality. */
export const LIKENESSES = ['similar', 'changed', 'another'] as const;
export type Likeness = (typeof LIKENESSES)[number];

/** More different bits of PDQ than this are another picture, where no other seed says more. Random pairs differ in 128. */
const ANOTHER_PDQ = 64;

/**
 * - `similar`: at the level `similar` or better.
 * - `another`: another picture.
 * - `changed`: between the two.
 *
 * Null where neither PDQ nor SSIM says anything: sizes differ, and the quality of a PDQ is low.
 *
 * @param otherSeeds how far outputs of the compared variant for other seeds of the prompt lie from its output
 */
export function likenessOf(level: Level, difference: Difference, otherSeeds: readonly Difference[]): Likeness | null {
  if (isAtLeast(level, 'similar')) return 'similar';
  if (difference.pdqDistance !== null) return difference.pdqDistance > ANOTHER_PDQ ? 'another' : 'changed';
  const { ssim } = difference;
  if (ssim === null) return null;
  return otherSeeds.some((other) => other.ssim !== null && ssim.p5 <= other.ssim.p5) ? 'another' : 'changed';
}
