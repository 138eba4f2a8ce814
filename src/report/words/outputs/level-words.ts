import { DEFAULT_LIMITS, type Level } from '../../../media/compare/level.ts';
import { stepsOf255 } from './difference-words.ts';

interface LevelWords {
  /** `pixel-identical`. */
  readonly same: string;
  /** A sentence; holds for the default limits. */
  readonly meaning: string;
}

const { near, similar, related } = DEFAULT_LIMITS;

/** The only place that puts levels into words. */
export const LEVEL_WORDS: Readonly<Record<Level, LevelWords>> = {
  byte: {
    same: 'byte-identical',
    meaning: 'byte-identical.',
  },
  pixel: {
    same: 'pixel-identical',
    meaning: 'the same pixels, in other bytes.',
  },
  near: {
    same: 'visually identical',
    meaning: `no sample differs by more than ${stepsOf255(near.maxDifference)} of 255, and PSNR is at least ${near.psnrDb} dB.`,
  },
  similar: {
    same: 'visually similar',
    meaning: `the same image, with differences: SSIM is at least ${similar.ssim}, mean distance of chroma at most ${similar.chroma} of 255, and PDQ distance, where defined, at most ${similar.pdqDistance} of 256.`,
  },
  related: {
    same: 'related',
    meaning: `similar composition, different detail: PDQ distance is at most ${related.pdqDistance} of 256.`,
  },
  different: {
    same: 'different',
    meaning: 'different images: beyond the limits of visually identical, visually similar and related.',
  },
};
