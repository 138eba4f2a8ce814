import { DEFAULT_LIMITS, type Level } from '../../../media/compare/level.ts';
import { stepsOf255 } from './difference-words.ts';

/** A level in words, each form for a place of its own. */
interface LevelWords {
  /** What takes are: `pixel-identical`. */
  readonly same: string;
  /** What of them is the same, in a narrow place: `pixels`. */
  readonly short: string;
  /** In the legend of the grid of cells. */
  readonly legend: string;
  /** Below outputs that differ in their bytes; null where there is nothing to say. */
  readonly caption: string | null;
  /** What it means within the default limits, as a sentence. */
  readonly meaning: string;
}

const { near, similar, related } = DEFAULT_LIMITS;

/** The one place that puts levels into words. */
export const LEVEL_WORDS: Readonly<Record<Level, LevelWords>> = {
  byte: {
    same: 'byte-identical',
    short: 'bytes',
    legend: 'all takes byte-identical',
    caption: 'same bytes',
    meaning: 'byte-identical.',
  },
  pixel: {
    same: 'pixel-identical',
    short: 'pixels',
    legend: 'other bytes, every pixel the same',
    caption: 'same pixels',
    meaning: 'the same pixels, in other bytes.',
  },
  near: {
    same: 'visually identical',
    short: 'near',
    legend: 'visually identical',
    caption: 'nearly the same',
    meaning: `no sample differs by more than ${stepsOf255(near.maxDifference)} of 255, and PSNR is at least ${near.psnrDb} dB.`,
  },
  similar: {
    same: 'visually similar',
    short: 'similar',
    legend: 'visually similar',
    caption: 'similar',
    meaning: `the same image, with differences: SSIM is at least ${similar.ssim}, mean distance of chroma at most ${similar.chroma} of 255, and PDQ distance, where defined, at most ${similar.pdqDistance} of 256.`,
  },
  related: {
    same: 'related',
    short: 'related',
    legend: 'recognisably related',
    caption: 'related',
    meaning: `similar composition, different detail: PDQ distance is at most ${related.pdqDistance} of 256.`,
  },
  different: {
    same: 'different',
    short: 'different',
    legend: 'other images',
    caption: null,
    meaning: 'different images: the rules of near, similar and related do not hold.',
  },
};
