import type { CellLikeness, ComparedCells } from '../analysis/output-summaries.ts';
import type { Cell } from '../analysis/summaries.ts';
import { capital, plural, significant } from '../kit/wording.ts';
import type { Difference } from '../media/difference.ts';
import {
  DEFAULT_LIMITS,
  type DecidingMeasure,
  type Layer,
  type Level,
  type Likeness,
  SURE_SSIM,
} from '../media/level.ts';
import type { UncomparedReason } from '../record/fact.ts';

/** What is known of two outputs of two runs. */
export type PairDifference =
  /** `difference` is null where every pixel is the same. */
  | { readonly state: 'compared'; readonly level: Level; readonly difference: Difference | null }
  | { readonly state: 'uncompared'; readonly reason: UncomparedReason }
  /** One of them does not decode, or could not be decoded when it was examined. */
  | { readonly state: 'not_decoded' };

/** `largest difference 12 of 255, PSNR 38.2 dB, SSIM 0.9820, picture hash (PDQ) 4 of 256 bits differ`. */
export function outputDifferenceWords({ samples, ssim, chroma, pdqDistance, frames, unpaired }: Difference): string {
  const parts: string[] = [];
  if (samples === null) parts.push('different sizes');
  else {
    parts.push(`largest difference ${stepsOf255(samples.maxDifference)} of 255`);
    if (samples.psnrDb !== null) parts.push(`PSNR ${samples.psnrDb.toFixed(1)} dB`);
  }
  if (ssim !== null) {
    parts.push(
      frames > 1
        ? `SSIM ${ssimWords(ssim.p5)} (5th percentile), ${ssimWords(ssim.worst)} (worst frame)`
        : `SSIM ${ssimWords(ssim.worst)}`,
    );
  }
  if (chroma !== null) parts.push(`chroma distance ${significant(chroma)} of 255`);
  if (pdqDistance !== null) parts.push(`picture hash (PDQ) ${pdqDistance} of 256 bits differ`);
  if (unpaired > 0) parts.push(`${plural(unpaired, 'frame')} without a counterpart`);
  return parts.join(', ');
}

/** A value below 1 never prints as 1. */
function ssimWords(ssim: number): string {
  return ssim < 1 && ssim >= 0.99995 ? '> 0.9999' : ssim.toFixed(4);
}

/** In steps of 8 bits; without decimals where it is whole. */
function stepsOf255(share: number): string {
  const value = share * 255;
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-6 ? String(whole) : significant(value);
}

const LAYERS: Readonly<Record<Exclude<Layer, 'none'>, string>> = {
  metadata: 'only metadata',
  encoding: 'container or compression (all pixels are equal)',
  pixels: 'pixels',
};

/** Which layer the takes of a variant's cells differ in; null where none differ. */
export function layerSentence(cells: readonly Cell[]): string | null {
  const differing = cells.filter(({ byte }) => byte === 'differs');
  if (differing.length === 0) return null;
  const layers = (['metadata', 'encoding', 'pixels'] as const).flatMap((layer) => {
    const cellsOfLayer = differing.filter((cell) => cell.layer === layer);
    return cellsOfLayer.length === 0 ? [] : [`${LAYERS[layer]} in ${cellsOfLayer.length}`];
  });
  const unknown = differing.filter(({ layer }) => layer === null).length;
  if (unknown > 0) layers.push(`unknown in ${unknown}`);
  return `Bytes differ in ${plural(differing.length, 'prompt x seed')}: ${layers.join('; ')}`;
}

interface LevelWords {
  readonly same: string;
  /** A sentence; holds for the default limits. */
  readonly meaning: string;
}

const { near, similar, related } = DEFAULT_LIMITS;

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
    meaning: `the same image, with differences: SSIM is at least ${similar.ssim}, mean distance of chroma at most ${similar.chroma} of 255, and, where defined and SSIM is at most ${SURE_SSIM}, at most ${similar.pdqDistance} of 256 bits of the picture hash (PDQ) differ.`,
  },
  related: {
    same: 'related',
    meaning: `similar composition, different detail: at most ${related.pdqDistance} of 256 bits of the picture hash (PDQ) differ.`,
  },
  different: {
    same: 'different',
    meaning: 'different images: beyond the limits of visually identical, visually similar and related.',
  },
};

/** What an output is beside that of the variant it is compared with. It says nothing of quality. */
export const LIKENESS_WORDS: Readonly<Record<Likeness, string>> = {
  similar: 'visually similar',
  changed: 'changed',
  another: 'another picture',
};

const CHANGE: readonly CellLikeness['word'][] = ['another', 'changed', 'similar', 'unknown'];

/**
 * Below 0 where the first changed more: by word, then by SSIM. Pairs of other sizes have no SSIM and come first of
 * their word.
 */
export function compareChange(
  a: { readonly word: CellLikeness['word']; readonly ssim: number | null },
  b: { readonly word: CellLikeness['word']; readonly ssim: number | null },
): number {
  return CHANGE.indexOf(a.word) - CHANGE.indexOf(b.word) || (a.ssim ?? -1) - (b.ssim ?? -1);
}

/** `SSIM 0.83`; above 0.99 where pixels differ all the same. Null where sizes differ. */
export function shortSsim(ssim: number | null): string | null {
  if (ssim === null) return null;
  return ssim < 1 && ssim >= 0.995 ? 'SSIM > 0.99' : `SSIM ${ssim.toFixed(2)}`;
}

const MEASURES: Readonly<Record<DecidingMeasure['measure'], readonly [name: string, unit: string]>> = {
  size: ['another size', ''],
  ssim: ['SSIM', ''],
  worst_ssim: ['SSIM of the worst frame', ''],
  chroma: ['chroma distance', ' of 255'],
  pdq: ['picture hash (PDQ)', ' of 256 bits differ'],
  correlation: ['correlation', ''],
};

/** `picture hash (PDQ) 14 of 256 bits differ, limit 10`; with so many digits that it is not the limit. */
export function decisionWords({ measure, value, limit }: DecidingMeasure): string {
  const [name, unit] = MEASURES[measure];
  if (value === null || limit === null) return name;
  const digits = measure === 'pdq' ? 0 : ([2, 3, 4].find((some) => value.toFixed(some) !== limit.toFixed(some)) ?? 5);
  return `${name} ${value.toFixed(digits)}${unit}, limit ${Number(limit.toFixed(4))}`;
}

/** `pixel-identical`, `SSIM 0.98, visually similar`; `changed: picture hash (PDQ) 14 of 256 bits differ, limit 10`. */
export function likenessWords({ word, difference, decidedBy, output, baselineOutput }: ComparedCells): string {
  if (decidedBy !== null) return `${LIKENESS_WORDS[word]}: ${decisionWords(decidedBy)}`;
  if (difference === null) return LEVEL_WORDS[output === baselineOutput ? 'byte' : 'pixel'].same;
  const ssim = shortSsim(difference.ssim?.p5 ?? null);
  return ssim === null ? LIKENESS_WORDS[word] : `${ssim}, ${LIKENESS_WORDS[word]}`;
}

/**
 * All that is known: `Visually similar: SSIM 0.98, picture hash (PDQ) 4 of 256 bits differ. On the same scale: repeats of
 * standard SSIM 1.00; another seed of standard SSIM 0.41, picture hash (PDQ) 120.`
 */
export function likenessSentence(pair: ComparedCells): string {
  const { word, baseline, difference, sharpness, repeatSsim, otherSeed } = pair;
  const ssim = difference === null ? 1 : (difference.ssim?.p5 ?? null);
  const pdq = difference === null ? 0 : difference.pdqDistance;
  const distances = [
    shortSsim(ssim) ?? 'sizes differ',
    ...(pdq === null ? [] : [`picture hash (PDQ) ${pdq} of 256 bits differ`]),
    ...(sharpness === null ? [] : [`sharpness ${sharpness.toFixed(2)}x`]),
  ].join(', ');
  const hash = otherSeed?.pdqDistance ?? null;
  const other = [shortSsim(otherSeed?.ssim ?? null) ?? [], hash === null ? [] : `picture hash (PDQ) ${hash}`].flat();
  const ends = [
    ...(repeatSsim === null ? [] : [`repeats of ${baseline} ${shortSsim(repeatSsim)}`]),
    ...(otherSeed === null ? [] : [`another seed of ${baseline} ${other.join(', ') || 'of another size'}`]),
  ];
  const scale = ends.length === 0 ? '' : ` On the same scale: ${ends.join('; ')}.`;
  return `${capital(LIKENESS_WORDS[word])}: ${distances}.${scale}`;
}

/** Why two outputs have no likeness, as a clause; follows `not compared:`. */
export const UNLIKENESS_WORDS: Readonly<Record<Extract<CellLikeness, { readonly word: 'unknown' }>['why'], string>> = {
  baseline_missing: 'the baseline variant delivered nothing',
  candidate_missing: 'the variant delivered nothing',
  both_missing: 'neither delivered anything',
  not_compared: 'their files are gone or were not examined',
  baseline_varies: 'the baseline variant gives another output each time',
  candidate_varies: 'the variant gives another output each time',
  seed_unused: 'the seed is ignored or not sent',
};
