import type { Difference } from './difference.ts';
import type { LevelLimits } from './level-limits.ts';

/** The levels that takes are held to, strictest first; `different` is no bar. */
export const HELD_LEVELS = ['byte', 'pixel', 'near', 'similar', 'related'] as const;
export type HeldLevel = (typeof HELD_LEVELS)[number];

/** How equal two outputs are, from equal bytes down to nothing in common. */
export const LEVELS = [...HELD_LEVELS, 'different'] as const;
export type Level = (typeof LEVELS)[number];

export const DEFAULT_LIMITS: LevelLimits = {
  near: { maxDifference: 2 / 255, psnrDb: 48 },
  similar: { ssim: 0.95, chroma: 4, pdqDistance: 10 },
  related: { pdqDistance: 31 },
};

/** By how much the SSIM of a video's worst frame may lie below that of the 5th percentile. */
const FRAME_SLACK = 0.05;

/** Whether `level` is `least` or better. */
export function isAtLeast(level: Level, least: Level): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(least);
}

/**
 * The level of two outputs whose pixels are not equal: the best one whose rule holds. PDQ that says nothing of a
 * image (a quality below 50) has no part: SSIM and chroma then make `similar`, and `related` is not defined.
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

/** 2/255 told as 0.00784: what is written down in a suite is a rounded number. */
const ROUNDING = 1e-5;
