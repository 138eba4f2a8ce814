import { LEVEL_WORDS, outputDifferenceWords } from '../../../words/level-words.ts';
import type { PairData } from '../../markup/page-data.ts';
import { make } from '../elements.ts';
import type { OutputFacts } from '../page-facts.ts';
import type { ComparedAddress } from './compare-hash.ts';

/**
 * At the left, the baseline variant's output for the same prompt and seed. Beside another output of a cell, its first
 * one stands third; beside the baseline variant's own, the first variant that has it as its baseline.
 *
 * @param outputs of the same prompt and kind, in the order of the page
 */
export function besideBaseline(clicked: OutputFacts, outputs: readonly OutputFacts[]): ComparedAddress['outputs'] {
  const firsts = outputs.filter(({ cell, number }) => cell.seed === clicked.cell.seed && number === 0);
  const own = firsts.find(({ cell }) => cell === clicked.cell) ?? clicked;
  const left = firsts.find(({ cell }) => cell.variant === clicked.cell.baseline) ?? own;
  if (left !== clicked) return own === left || own === clicked ? [left, clicked] : [left, clicked, own];
  const right =
    firsts.find(({ cell }) => cell.baseline === clicked.cell.variant) ??
    firsts.find((each) => each !== clicked) ??
    outputs.find((each) => each.cell === clicked.cell && each !== clicked);
  return [clicked, right ?? clicked];
}

/** A sentence on two outputs. @param later gets the sentence again once more is known */
export type BetweenWords = (one: OutputFacts, other: OutputFacts, later: (words: string) => void) => string;

export function pairsBetween([left, right, third]: ComparedAddress['outputs'], words: BetweenWords): readonly Node[] {
  if (third === undefined) return [saying(make('p', ''), words, left, right)];
  const rows = [
    ['Left and right', left, right],
    ['Left and third', left, third],
    ['Right and third', right, third],
  ] as const;
  const body = rows.map(([name, one, other]) => {
    const head = make('th', '', name);
    head.scope = 'row';
    return make('tr', '', head, saying(make('td', ''), words, one, other));
  });
  const caption = make('caption', 'quiet', 'How far the images are apart');
  return [make('table', 'plain pair-table', caption, make('tbody', '', ...body))];
}

function saying<T extends HTMLElement>(element: T, words: BetweenWords, one: OutputFacts, other: OutputFacts): T {
  element.textContent = words(one, other, (known) => {
    element.textContent = known;
  });
  return element;
}

export function betweenWords(one: OutputFacts, other: OutputFacts): string {
  if (one.cell === other.cell && one.number === other.number) return 'One output: byte-identical.';
  if (one.cell.variant !== other.cell.variant) {
    const same = one.sha256 === other.sha256 ? ' Here both gave the same bytes.' : '';
    return `Two variants: similarity says nothing about quality.${same}${sizeWords(one, other)}`;
  }
  if (one.cell !== other.cell) {
    return one.sha256 === other.sha256
      ? 'Two seeds of one variant gave the same bytes: the seed may be ignored.'
      : `Two seeds of one variant: another image is expected.${sizeWords(one, other)}`;
  }
  const [a, b] = one.number < other.number ? [one.number, other.number] : [other.number, one.number];
  const pair = one.cell.pairs.find((each) => each[0] === a && each[1] === b);
  return `Two takes of one variant, prompt and seed: ${pair === undefined ? whyNone(one, other) : pairWords(pair)}.`;
}

/** For an image that is scaled to lie above another. */
function sizeWords(one: OutputFacts, other: OutputFacts): string {
  const [size, otherSize] = [one, other].map(({ width, height }) => `${width} × ${height}`);
  const isKnown = one.width !== null && other.width !== null;
  return !isKnown || size === otherSize ? '' : ` Their sizes differ: ${size} and ${otherSize} pixels.`;
}

/** Why two outputs of a cell have no distance. */
function whyNone(one: OutputFacts, other: OutputFacts): string {
  if (one.width === null || other.width === null) return 'no distance, because one of them was not decoded';
  return 'no distance in this page, which has those of the first 16 outputs and of each with the usual one';
}

function pairWords([, , level, samples, ssim, pdqDistance, frames, unpaired, chroma]: PairData): string {
  const same = level === null ? 'compared' : LEVEL_WORDS[level].same;
  if (samples === null && ssim === null && pdqDistance === null) return same;
  const difference = {
    frames,
    unpaired,
    samples: samples === null ? null : { maxDifference: samples[0], psnrDb: samples[1] },
    ssim: ssim === null ? null : { p5: ssim[0], worst: ssim[1] },
    chroma,
    pdqDistance,
    similarityFrames: frames,
  };
  return `${same}; ${outputDifferenceWords(difference)}`;
}
