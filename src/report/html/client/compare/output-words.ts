import { count, duration } from '../../../../text/quantity.ts';
import { differenceWords } from '../../../words/difference-words.ts';
import { LEVEL_WORDS } from '../../../words/level-words.ts';
import type { PairData } from '../../markup/page-data.ts';
import { make } from '../elements.ts';
import { takeTable } from '../take-table.ts';
import { nameOfTake, type OutputFacts, totalOf } from '../takes-data.ts';
import type { ShownMedia } from './load-media.ts';

/** What stands below an output: what came of its takes, what is shown of it, and its timings folded away. */
export function captionOf(output: OutputFacts, shown: ShownMedia | null): readonly Node[] {
  const { cell, takes } = output;
  const [first] = takes;
  const total = first === undefined ? null : totalOf(first);
  const lines = [
    [
      total === null ? '' : duration(total),
      (first?.outcome ?? '').replaceAll('_', ' '),
      `seed ${cell.seed}`,
      first === undefined ? '' : nameOfTake(first),
    ],
    [groupWords(output)],
    [shownWords(output, shown)],
  ];
  const details = make('details', '', make('summary', '', 'Timings and request'), takeTable(cell, takes));
  return [...lines.map((words) => make('small', '', words.filter((word) => word !== '').join(', '))), details];
}

/** `2 of 3 takes gave these bytes; visually similar to the usual output`. */
function groupWords({ cell, takes, level }: OutputFacts): string {
  const delivered = cell.takes.filter(({ output }) => output !== null).length;
  const share = `${count(takes.length)} of ${count(delivered)} takes gave these bytes`;
  if (cell.outputs.length < 2 || level === null) return share;
  return level === 'byte'
    ? `${share}: the usual output`
    : `${share}: ${LEVEL_WORDS[level].same} ${level === 'different' ? 'from' : 'to'} the usual output`;
}

function shownWords({ width, height, durationS }: OutputFacts, shown: ShownMedia | null): string {
  const size = width === null || height === null ? null : pixels(width, height);
  if (shown === null) return 'This page holds no image of it, and the original is not beside this page.';
  if (shown.source === 'original') return `Shown: the original, ${pixels(shown.width, shown.height)}`;
  const what = durationS === null ? 'a copy' : 'a small copy';
  const isWhole = size === pixels(shown.width, shown.height);
  return `Shown: ${what} of ${pixels(shown.width, shown.height)}${isWhole ? ', all pixels, compressed' : ''}${
    size === null || isWhole ? '' : `; the original of ${size} is not beside this page`
  }`;
}

function pixels(width: number, height: number): string {
  return `${width} × ${height} pixels`;
}

/** What is known of two outputs beside each other. */
export function betweenWords(one: OutputFacts, other: OutputFacts): string {
  if (one.cell === other.cell && one.number === other.number) return 'One output: byte-identical.';
  if (one.cell.variant !== other.cell.variant) {
    const same = one.sha256 === other.sha256 ? ' Here both gave the same bytes.' : '';
    return `Two variants: similarity says nothing about quality.${same}`;
  }
  if (one.cell !== other.cell) {
    return one.sha256 === other.sha256
      ? 'Two seeds of one variant gave the same bytes: the seed may be ignored.'
      : 'Two seeds of one variant: another image is expected.';
  }
  const [a, b] = one.number < other.number ? [one.number, other.number] : [other.number, one.number];
  const pair = one.cell.pairs.find((each) => each[0] === a && each[1] === b);
  return pair === undefined
    ? 'Two takes of one variant, prompt and seed: their distance is not known.'
    : `Two takes of one variant, prompt and seed: ${pairWords(pair)}.`;
}

function pairWords([, , level, samples, ssim, pdqDistance, frames, unpaired]: PairData): string {
  const same = level === null ? 'compared' : LEVEL_WORDS[level].same;
  if (samples === null && ssim === null && pdqDistance === null) return same;
  const difference = {
    frames,
    unpaired,
    samples: samples === null ? null : { maxDifference: samples[0], psnrDb: samples[1] },
    ssim: ssim === null ? null : { p5: ssim[0], worst: ssim[1] },
    pdqDistance,
    similarityFrames: frames,
  };
  return `${same}; ${differenceWords(difference)}`;
}
