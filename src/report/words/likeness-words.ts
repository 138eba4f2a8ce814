import type { CellLikeness, ComparedCells } from '../../analysis/likeness.ts';
import type { DecidingMeasure, Likeness } from '../../media/level.ts';

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
export function ssimWords(ssim: number | null): string | null {
  if (ssim === null) return null;
  return ssim < 1 && ssim >= 0.995 ? 'SSIM > 0.99' : `SSIM ${ssim.toFixed(2)}`;
}

const MEASURES: Readonly<Record<DecidingMeasure['measure'], readonly [name: string, unit: string]>> = {
  size: ['another size', ''],
  ssim: ['SSIM', ''],
  worst_ssim: ['SSIM of the worst frame', ''],
  chroma: ['chroma distance', ' of 255'],
  pdq: ['PDQ', ' of 256'],
  correlation: ['correlation', ''],
};

/** `PDQ 14 of 256, limit 10`; with so many digits that it is not the limit. */
export function decisionWords({ measure, value, limit }: DecidingMeasure): string {
  const [name, unit] = MEASURES[measure];
  if (value === null || limit === null) return name;
  const digits = measure === 'pdq' ? 0 : ([2, 3, 4].find((each) => value.toFixed(each) !== limit.toFixed(each)) ?? 5);
  return `${name} ${value.toFixed(digits)}${unit}, limit ${Number(limit.toFixed(4))}`;
}

/** `SSIM 0.98, visually similar`; `changed: PDQ 14 of 256, limit 10`. */
export function likenessWords({ word, difference, decidedBy }: ComparedCells): string {
  if (decidedBy !== null) return `${LIKENESS_WORDS[word]}: ${decisionWords(decidedBy)}`;
  const ssim = ssimWords(difference === null ? 1 : (difference.ssim?.p5 ?? null));
  return ssim === null ? LIKENESS_WORDS[word] : `${ssim}, ${LIKENESS_WORDS[word]}`;
}

/** Why two outputs have no likeness, as a clause. */
export const UNLIKENESS_WORDS: Readonly<Record<Extract<CellLikeness, { readonly word: 'unknown' }>['why'], string>> = {
  baseline_missing: 'the baseline delivered nothing',
  candidate_missing: 'the variant delivered nothing',
  both_missing: 'neither delivered anything',
  not_compared: 'their media are gone or were not compared',
  baseline_varies: 'repeats of the baseline differ',
  candidate_varies: 'repeats of the variant differ',
  seed_unused: 'the seed is ignored or not sent',
};
