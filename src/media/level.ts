import type { Difference, LevelLimits } from './difference.ts';

export const LAYERS = ['none', 'metadata', 'encoding', 'pixels'] as const;
export type Layer = (typeof LAYERS)[number];

export interface OutputDigests {
  readonly sha256: string;
  /** Without metadata; null if it cannot be separated. */
  readonly strippedSha256: string | null;
  /** Of pixels with size, depth, alpha and times. */
  readonly pixelSha256: string;
}

/** `none`: equal bytes; `metadata`: equal without metadata, if separable; `encoding`: equal pixels. */
export function layerOf(a: OutputDigests, b: OutputDigests): Layer {
  if (a.sha256 === b.sha256) return 'none';
  if (a.strippedSha256 !== null && a.strippedSha256 === b.strippedSha256) return 'metadata';
  return a.pixelSha256 === b.pixelSha256 ? 'encoding' : 'pixels';
}

/** Levels that a rule can require, strictest first. */
export const HELD_LEVELS = ['byte', 'pixel', 'near', 'similar', 'related'] as const;
export type HeldLevel = (typeof HELD_LEVELS)[number];

export const LEVELS = [...HELD_LEVELS, 'different'] as const;
export type Level = (typeof LEVELS)[number];

export const DEFAULT_LIMITS: LevelLimits = {
  near: { maxDifference: 2 / 255, psnrDb: 48 },
  similar: { ssim: 0.95, chroma: 4, pdqDistance: 10 },
  related: { pdqDistance: 31 },
};

const FRAME_SLACK = 0.05;

/** Above it, PDQ alone does not keep outputs from `similar`: a mark in a corner changes many bits. */
export const SURE_SSIM = 0.98;

/**
 * Where another picture begins, in the middle of what `npm run likeness` leaves empty (README.md beside this file): one
 * picture has up to 58 different bits of PDQ, two at least 98. PDQ fails on smooth and symmetric images, if noise
 * changes; their light and dark still correlate above 0.9. `correlationAlone`: if the quality of a PDQ is too low.
 */
const ANOTHER = { pdqDistance: 80, correlation: 0.9, correlationAlone: 0.8 };

function isAnother({ pdqDistance, correlation = -1 }: Difference): boolean {
  if (pdqDistance === null) return correlation < ANOTHER.correlationAlone;
  return pdqDistance > ANOTHER.pdqDistance && correlation < ANOTHER.correlation;
}

/** The measures that decide how alike two outputs are. `size` has no number. */
export const DECIDING = ['size', 'ssim', 'worst_ssim', 'chroma', 'pdq', 'correlation'] as const;

export interface DecidingMeasure {
  readonly measure: (typeof DECIDING)[number];
  readonly value: number | null;
  readonly limit: number | null;
}

/** The first measure that keeps outputs from `similar`, with its limit; null if none does. */
export function unlikenessOf(difference: Difference, { similar }: LevelLimits): DecidingMeasure | null {
  const { ssim, chroma, pdqDistance } = difference;
  if (ssim === null) return { measure: 'size', value: null, limit: null };
  const worst = similar.ssim - FRAME_SLACK;
  if (ssim.p5 < similar.ssim) return { measure: 'ssim', value: ssim.p5, limit: similar.ssim };
  if (ssim.worst < worst) return { measure: 'worst_ssim', value: ssim.worst, limit: worst };
  if (chroma !== null && chroma > similar.chroma) return { measure: 'chroma', value: chroma, limit: similar.chroma };
  if (pdqDistance === null || pdqDistance <= similar.pdqDistance) return null;
  if (ssim.p5 > SURE_SSIM && !isAnother(difference)) return null;
  return { measure: 'pdq', value: pdqDistance, limit: similar.pdqDistance };
}

export function isAtLeast(level: Level, least: Level): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(least);
}

/**
 * The best level whose rule holds, for different pixels. Without a usable PDQ (quality below 50) SSIM and chroma decide
 * `similar`, and `related` is undefined.
 */
export function levelOf(difference: Difference, limits: LevelLimits = DEFAULT_LIMITS): Level {
  const { near, related } = limits;
  const { unpaired, samples, pdqDistance } = difference;
  if (
    samples !== null &&
    unpaired === 0 &&
    samples.maxDifference <= near.maxDifference + ROUNDING &&
    (samples.psnrDb === null || samples.psnrDb >= near.psnrDb)
  ) {
    return 'near';
  }
  if (unlikenessOf(difference, limits) === null) return 'similar';
  return pdqDistance !== null && pdqDistance <= related.pdqDistance ? 'related' : 'different';
}

/** Suites may contain 2/255 as the rounded 0.00784. */
const ROUNDING = 1e-5;

/** How like an output is to that of the variant it is compared with, nearest first, whatever its quality. */
export const LIKENESSES = ['similar', 'changed', 'another'] as const;
export type Likeness = (typeof LIKENESSES)[number];

/**
 * `similar`: at that level or better; `another`: another picture; `changed`: between the two. Null without PDQ and
 * correlation. Faint images have no PDQ and a high SSIM whatever they show, so they may be `another` at the level
 * `similar`.
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
