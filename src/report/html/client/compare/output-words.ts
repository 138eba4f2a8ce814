import { count, duration } from '../../../../text/wording.ts';
import { LEVEL_WORDS } from '../../../words/level-words.ts';
import { takeName } from '../../../words/names.ts';
import { outcomeWords } from '../../../words/outcome-words.ts';
import { make } from '../elements.ts';
import { nameOfOutput, type OutputFacts, totalOf } from '../page-facts.ts';
import { takeTable } from '../take-table.ts';
import { originalOf, type ShownMedia } from './load-media.ts';

export function captionOf(output: OutputFacts, shown: ShownMedia | null): readonly Node[] {
  const { cell, takes } = output;
  const [first] = takes;
  const total = first === undefined ? null : totalOf(first);
  const lines = [
    [
      total === null ? '' : duration(total, cell.unit),
      first === undefined ? '' : outcomeWords(first.outcome),
      `seed ${cell.seed}`,
      first === undefined ? '' : takeName(first),
    ],
    [groupWords(output)],
    [shownWords(output, shown)],
  ];
  const original = shown?.source === 'original' ? originalOf(output) : null;
  const links = original === null ? [] : [make('small', '', originalLink(original, output))];
  const details = make('details', '', make('summary', '', 'Timings and request'), takeTable(cell, takes));
  return [
    ...lines.map((words) => make('small', '', words.filter((word) => word !== '').join(', '))),
    ...links,
    details,
  ];
}

/** `2 of 3 takes gave these bytes; visually similar to the usual output`. */
function groupWords({ cell, takes, level }: OutputFacts): string {
  const delivered = cell.takes.filter(({ output }) => output !== null).length;
  if (delivered < 2) return '';
  const share = `${count(takes.length)} of ${count(delivered)} takes gave these bytes`;
  if (cell.outputs.length < 2 || level === null) return share;
  return level === 'byte'
    ? `${share}: the usual output`
    : `${share}: ${LEVEL_WORDS[level].same} ${level === 'different' ? 'from' : 'to'} the usual output`;
}

/** Opens the original in a tab of its own, where it can be saved and copied. */
function originalLink(url: string, output: OutputFacts): HTMLAnchorElement {
  const link = make('a', '', 'Open the original');
  link.href = url;
  link.target = '_blank';
  link.rel = 'noopener';
  link.setAttribute('aria-label', `Open the original of ${nameOfOutput(output)} in a new tab`);
  return link;
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
