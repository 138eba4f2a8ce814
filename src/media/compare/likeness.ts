import type { Difference } from './difference.ts';
import { isAtLeast, type Level } from './level.ts';

/** How like an output is to that of the variant it is compared with, nearest first. It says nothing of quality. */
export const LIKENESSES = ['similar', 'changed', 'another'] as const;
export type Likeness = (typeof LIKENESSES)[number];

/**
 * Where another picture begins, in the middle of what `npm run likeness` leaves empty (README.md beside this file): the
 * same picture has up to 58 different bits of PDQ, another one at least 98. PDQ takes smooth and symmetric images for
 * others when nothing but their noise changes; their light and dark stay where they were, at a correlation above 0.9.
 */
const ANOTHER = { pdqDistance: 80, correlation: 0.9 };

/** Below this correlation is another picture, where the quality of a PDQ is too low. */
const ANOTHER_WITHOUT_PDQ = 0.8;

/**
 * - `similar`: at the level `similar` or better.
 * - `another`: another picture.
 * - `changed`: between the two.
 *
 * Of faint images, whose PDQ says nothing, SSIM is high whatever they show: another picture is `another` also at the
 * level `similar`. Null of a difference without what decides.
 */
export function likenessOf(level: Level, difference: Difference): Likeness | null {
  const { pdqDistance, correlation } = difference;
  if (isAtLeast(level, pdqDistance === null ? 'near' : 'similar')) return 'similar';
  if (pdqDistance === null && correlation === undefined) return isAtLeast(level, 'similar') ? 'similar' : null;
  if (isAnother(difference)) return 'another';
  return isAtLeast(level, 'similar') ? 'similar' : 'changed';
}

function isAnother({ pdqDistance, correlation = -1 }: Difference): boolean {
  if (pdqDistance === null) return correlation < ANOTHER_WITHOUT_PDQ;
  return pdqDistance > ANOTHER.pdqDistance && correlation < ANOTHER.correlation;
}
