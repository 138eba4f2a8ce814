import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { count } from '../../text/quantity.ts';
import { textWidth, wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import {
  headlineComparisons,
  latencySentence,
  latencySentenceInShort,
  tellsApart,
} from '../statements/comparison-statement.ts';
import type { Paint } from './paint.ts';

const MOST_COMPARISONS = 8;

/**
 * What was compared, said first: a sentence for each variant against the baseline variant of its kind, all without their pairs
 * where one with them needs a second line. Of many, those with the largest differences, and how many there are of each finding.
 */
export function comparisonLines(
  comparisons: readonly Comparison[],
  { run }: Pick<Analysis, 'run'>,
  width: number,
  paint: Paint,
): readonly string[] {
  const all = headlineComparisons(comparisons, run.plan.load);
  const shown = largest(all);
  const whole = shown.map((each) => visibleLine(`${latencySentence(each)}.`));
  const isWhole = whole.every((sentence) => textWidth(sentence) <= width);
  const sentences = isWhole ? whole : shown.map((each) => visibleLine(`${latencySentenceInShort(each)}.`));
  return [
    ...shown.flatMap((comparison, at) => {
      const lines = wrapped(sentences[at] ?? '', width);
      return tellsApart(comparison) ? lines.map((line) => paint('bold', line)) : lines;
    }),
    ...(shown.length < all.length ? wrapped(foldedWords(all, shown), width).map((line) => paint('dim', line)) : []),
  ];
}

/** In their order; of many, those with the largest differences that are told apart. */
function largest(all: readonly Comparison[]): readonly Comparison[] {
  if (all.length <= MOST_COMPARISONS) return all;
  const size = (comparison: Comparison) =>
    comparison.value === null || !tellsApart(comparison) ? -1 : Math.abs(Math.log(comparison.value));
  const kept = new Set(all.toSorted((a, b) => size(b) - size(a)).slice(0, MOST_COMPARISONS));
  return all.filter((each) => kept.has(each));
}

/** `31 more in the report: 20 faster, 3 slower, 8 not told apart`. */
function foldedWords(all: readonly Comparison[], shown: readonly Comparison[]): string {
  const rest = all.filter((each) => !shown.includes(each));
  const apart = rest.filter(tellsApart);
  const faster = apart.filter(({ finding }) => finding === 'lower').length;
  const none = rest.filter(({ finding }) => finding === 'too_few').length;
  const parts: readonly (readonly [number, string])[] = [
    [faster, 'faster'],
    [apart.length - faster, 'slower'],
    [rest.length - apart.length - none, 'not told apart'],
    [none, 'not compared'],
  ];
  const told = parts.flatMap(([found, words]) => (found === 0 ? [] : [`${count(found)} ${words}`]));
  return `${count(rest.length)} more in the report: ${told.join(', ')}`;
}
