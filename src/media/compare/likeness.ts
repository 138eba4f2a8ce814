import type { Difference } from './difference.ts';
import { ANOTHER, type DecidingMeasure, isAnother, isAtLeast, type Level, unlikenessOf } from './level.ts';
import type { LevelLimits } from './level-limits.ts';

/** How like an output is to that of the variant it is compared with, nearest first. It says nothing of quality. */
export const LIKENESSES = ['similar', 'changed', 'another'] as const;
export type Likeness = (typeof LIKENESSES)[number];

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

/** The measure that makes it `changed` or `another`, with its limit; null for `similar`. */
export function decisionOf(word: Likeness, difference: Difference, limits: LevelLimits): DecidingMeasure | null {
  if (word !== 'another') return word === 'similar' ? null : unlikenessOf(difference, limits);
  const { pdqDistance, correlation = null } = difference;
  return pdqDistance === null
    ? { measure: 'correlation', value: correlation, limit: ANOTHER.correlationAlone }
    : { measure: 'pdq', value: pdqDistance, limit: ANOTHER.pdqDistance };
}
