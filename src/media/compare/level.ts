import type { Difference } from './difference.ts';
import type { LevelLimits } from './level-limits.ts';

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

export function isAtLeast(level: Level, least: Level): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(least);
}

/**
 * The best level whose rule holds, for outputs with different pixels. Without a usable PDQ (quality below 50) SSIM and
 * chroma decide `similar`, and `related` is undefined.
 */
export function levelOf(difference: Difference, { near, similar, related }: LevelLimits = DEFAULT_LIMITS): Level {
  const { unpaired, samples, ssim, chroma, pdqDistance } = difference;
  if (
    samples !== null &&
    unpaired === 0 &&
    samples.maxDifference <= near.maxDifference + ROUNDING &&
    (samples.psnrDb === null || samples.psnrDb >= near.psnrDb)
  ) {
    return 'near';
  }
  if (
    ssim !== null &&
    ssim.p5 >= similar.ssim &&
    ssim.worst >= similar.ssim - FRAME_SLACK &&
    (chroma === null || chroma <= similar.chroma) &&
    (pdqDistance === null || pdqDistance <= similar.pdqDistance)
  ) {
    return 'similar';
  }
  return pdqDistance !== null && pdqDistance <= related.pdqDistance ? 'related' : 'different';
}

/** Suites may contain 2/255 as the rounded 0.00784. */
const ROUNDING = 1e-5;
