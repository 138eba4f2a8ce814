import { textWidth, wrapped } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import { count } from '../../text/wording.ts';
import type { ReportSource } from '../reporter.ts';
import {
  type ComparisonGroup,
  comparisonGroups,
  groupClauses,
  headlineComparisons,
  moreUnits,
  tellsApart,
} from '../statements/comparison-statement.ts';
import { latencySentences } from '../statements/latency-statement.ts';
import { samenessSentences } from '../statements/sameness-statement.ts';
import { stabilitySentences } from '../statements/two-runs-statement.ts';
import { GAP, type Paint } from './paint.ts';

const MOST_COMPARISONS = 8;
/** The tables below have the others. */
const MOST_MEASURED = 4;

/**
 * Variants without a comparison for the same reason share a sentence. Of many, the largest differences are shown and
 * each finding is counted.
 */
export function resultLines(
  { analysis, comparisons, stability }: Pick<ReportSource, 'analysis' | 'comparisons' | 'stability'>,
  width: number,
  paint: Paint,
): readonly string[] {
  const { run } = analysis;
  const headlines = headlineComparisons(comparisons, run.plan.load);
  const measured = latencySentences(analysis, headlines);
  const all = comparisonGroups(headlines);
  const shown = largest(all);
  const dim = (words: string) => wrapped(words, width).map((line) => paint('dim', line));
  return [
    ...shown.flatMap((group) => {
      const lines = clauseLines(groupClauses(group).map(visibleLine), width);
      return group.some(tellsApart) ? lines.map((line) => paint('bold', line)) : lines;
    }),
    ...(shown.length < all.length ? dim(foldedWords(all, shown)) : []),
    ...moreUnits(headlines, run).flatMap((sentence) => dim(`${sentence}.`)),
    ...measured.slice(0, MOST_MEASURED).flatMap((clauses) => clauseLines(clauses.map(visibleLine), width)),
    ...[...samenessSentences(analysis), ...stabilitySentences(stability)].flatMap((sentence) =>
      wrapped(`${visibleLine(sentence)}.`, width),
    ),
  ];
}

/** Breaks a sentence between clauses, within one only where it is too long for a line. */
function clauseLines(clauses: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const clause of clauses) {
    // Leaves room for the full stop, or the comma before the next clause.
    if (line === '' || textWidth(line + clause) < width) {
      line += clause;
      continue;
    }
    lines.push(line + clause.charAt(0));
    line = GAP + clause.slice(1).trimStart();
  }
  return [...lines, `${line}.`].flatMap((each) => (textWidth(each) <= width ? [each] : wrapped(each, width)));
}

/** Keeps their order; of many, the largest differences that are told apart. */
function largest(all: readonly ComparisonGroup[]): readonly ComparisonGroup[] {
  if (all.length <= MOST_COMPARISONS) return all;
  const size = ([first]: ComparisonGroup) =>
    first.value === null || !tellsApart(first) ? -1 : Math.abs(Math.log(first.value));
  const kept = new Set(all.toSorted((a, b) => size(b) - size(a)).slice(0, MOST_COMPARISONS));
  return all.filter((each) => kept.has(each));
}

/** `31 more in the report: 20 faster, 3 slower, 8 not told apart`. */
function foldedWords(all: readonly ComparisonGroup[], shown: readonly ComparisonGroup[]): string {
  const rest = all.filter((each) => !shown.includes(each)).flat();
  const apart = rest.filter(tellsApart);
  const faster = apart.filter(({ finding }) => finding === 'lower').length;
  const none = rest.filter(({ finding }) => finding === 'too_few').length;
  const parts: readonly (readonly [number, string])[] = [
    [faster, 'faster'],
    [apart.length - faster, 'slower'],
    [rest.length - apart.length - none, 'not told apart'],
    [none, 'without an interval'],
  ];
  const told = parts.flatMap(([found, words]) => (found === 0 ? [] : [`${count(found)} ${words}`]));
  return `${count(rest.length)} more in the report: ${told.join(', ')}`;
}
