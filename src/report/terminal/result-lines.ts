import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import { groupBy } from '../../analysis/grouping.ts';
import { hasNote } from '../../analysis/note.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { variantNames } from '../../kit/names.ts';
import { wrapped } from '../../kit/text-width.ts';
import { visibleLine } from '../../kit/visible.ts';
import { capital, count, listed, plural } from '../../kit/wording.ts';
import type { HeldLevel } from '../../media/compare/level.ts';
import { isTwin } from '../../record/comparable.ts';
import type { ReportSource } from '../reporter.ts';
import { answersOf } from '../statements/answer-statement.ts';
import {
  adjustedWords,
  comparisonGroups,
  groupClauses,
  headlineComparisons,
  isCompared,
  moreUnits,
  tellsApart,
} from '../statements/comparison-statement.ts';
import { headlinesOf } from '../statements/headline-statement.ts';
import { indistinctVariants, latencySentences } from '../statements/latency-statement.ts';
import { likenessClause, likenessTo, mostChangedSentence, unknownLikeness } from '../statements/likeness-statement.ts';
import { passedControls, scoreSentences } from '../statements/score-statement.ts';
import { byKind, measuresOf } from '../statements/statement.ts';
import { stabilitySentences } from '../statements/two-runs-statement.ts';
import { sweepSteps } from '../words/load-words.ts';
import { GAP, type Paint } from './paint.ts';
import { areEqualRepeats, repeatsOf } from './result-cells.ts';

/** With more, or of several kinds, the table says it all. */
const MOST_IN_WORDS = 3;
const MOST_STORED = 4;
const MOST_INDISTINCT = 2;
const MOST_WITHOUT = 2;
const MOST_SCORES = 4;

type LinesSource = Pick<ReportSource, 'analysis' | 'comparisons' | 'stability'>;

/** What the speed of each variant costs, where few variants of one kind were measured; of many, those picked out. */
export function headlineLines({ analysis, comparisons }: LinesSource, width: number, paint: Paint): readonly string[] {
  const own = ownVariants(analysis);
  if (!areInWords(own)) {
    const leading = byKind(own).flatMap(([, variants]) => answersOf(analysis, comparisons, variants));
    return leading.filter(({ leads }) => leads).flatMap(({ sentence }) => boldLines(sentence, width, paint));
  }
  const headlines = headlinesOf(own, { analysis, comparisons });
  const alone =
    own.length > 1 || sweepSteps(analysis.run.plan.load) !== null
      ? []
      : latencySentences({ ...analysis, variants: own }, []).map((clauses) => `${clauses.join('')}.`);
  return [...headlines.map(({ sentence }) => sentence), ...alone].flatMap((sentence) =>
    boldLines(sentence, width, paint),
  );
}

/** What scorers say of the outputs; numbers that nobody may rely on are left to the report. */
export function scoreLines({ analysis, comparisons }: LinesSource, width: number, paint: Paint): readonly string[] {
  const sentences = scoreSentences(analysis, comparisons, ownVariants(analysis));
  const found = sentences.filter(({ is }) => is === 'found');
  const more = found.length - MOST_SCORES;
  return [
    ...sentences
      .filter((each) => each.is !== 'void' && !found.slice(MOST_SCORES).includes(each))
      .flatMap(({ sentence, is }) => {
        const lines = hanging(visibleLine(sentence), width);
        return is === 'bad' ? lines.map((line) => paint('red', line)) : lines;
      }),
    ...(more > 0 ? [paint('dim', `${plural(more, 'more score')} in the report`)] : []),
    ...passedControls(analysis).flatMap((sentence) => hanging(visibleLine(sentence), width)),
  ];
}

function boldLines(sentence: string, width: number, paint: Paint): readonly string[] {
  return hanging(visibleLine(sentence), width).map((line) => paint('bold', line));
}

/** Lines after the first are further in. */
function hanging(sentence: string, width: number): readonly string[] {
  const [first = '', ...others] = wrapped(sentence, width);
  return [
    first,
    ...(others.length === 0 ? [] : wrapped(others.join(' '), width - GAP.length)).map((line) => GAP + line),
  ];
}

function areInWords(own: readonly VariantSummary[]): boolean {
  return own.length <= MOST_IN_WORDS && byKind(own).length === 1;
}

function ownVariants({ variants }: Pick<Analysis, 'variants'>): readonly VariantSummary[] {
  return variants.filter((variant) => !isTwin(variant));
}

/** What the table has no column for, a line each. */
export function factLines(source: LinesSource, width: number, paint: Paint): readonly string[] {
  const { analysis, stability } = source;
  // Sentences of few variants say it already.
  const unlike = areInWords(ownVariants(analysis)) ? null : unknownLikeness(analysis);
  const mostChanged = mostChangedSentence(analysis);
  const sentences = [
    ...[adjustedWords(source.comparisons, analysis.run.plan.load) ?? []].flat(),
    ...comparedElsewhere(source),
    ...repeatSentences(analysis),
    ...(mostChanged === null ? [] : [mostChanged]),
    ...(unlike === null ? [] : [unlike]),
    ...stabilitySentences(stability),
  ];
  return [
    ...sentences.flatMap((sentence) => wrapped(visibleLine(`${sentence}.`), width)),
    ...indistinctLines(analysis, width, paint),
  ];
}

/** Comparisons without a number, with the stored baseline, and what more pairs need; without a full stop. */
function comparedElsewhere({ analysis, comparisons }: LinesSource): readonly string[] {
  const headlines = headlineComparisons(comparisons, analysis.run.plan.load);
  const without = comparisonGroups(headlines.filter((each) => !isCompared(each)));
  const stored = headlines.filter((each) => isCompared(each) && each.baselineRun !== null);
  const shown = [...stored.filter(tellsApart), ...stored.filter((each) => !tellsApart(each))];
  const more = shown.length - MOST_STORED;
  const needs = moreUnits(headlines, analysis.run);
  // Where a remedy says why nothing is compared, once is enough.
  const isSaid = needs.length > 0 && without.every(([{ notes }]) => notes.some(({ code }) => code === 'sequential'));
  return [
    ...(isSaid ? [] : without.slice(0, MOST_WITHOUT)).map((group) => groupClauses(group).join('')),
    ...(!isSaid && without.length > MOST_WITHOUT
      ? [`${count(without.length - MOST_WITHOUT)} more without a comparison`]
      : []),
    ...shown
      .slice(0, MOST_STORED)
      .map((comparison) => groupClauses([comparison]).join('') + changedFromStored(comparison, analysis)),
    ...(more > 0 ? [`${plural(more, 'more variant')} against the stored baseline in the report`] : []),
    ...needs,
  ];
}

/** Nothing where all outputs stay visually similar: what is said of stability is stricter. */
function changedFromStored({ variant, baseline }: Comparison, analysis: Analysis): string {
  const tally = likenessTo(baseline, { name: variant }, analysis);
  return tally === null || tally.compared === tally.similar ? '' : `; ${likenessClause(tally)}`;
}

const SAME: Readonly<Record<HeldLevel, string>> = {
  byte: 'the same bytes',
  pixel: 'the same pixels',
  near: 'visually identical',
  similar: 'visually similar',
  related: 'related outputs',
};

/** `Same seed again: the same bytes in 96 of 96 cells`; where repeats differ the table has a column instead. */
function repeatSentences(analysis: Analysis): readonly string[] {
  const repeats = repeatsOf(analysis);
  const measures = measuresOf(analysis);
  const cached = ownVariants(analysis).flatMap(({ name }) =>
    hasNote(measures(name, 'determinism.byte', 'departure')?.notes ?? [], 'cached') ? [name] : [],
  );
  const said =
    cached.length === 0 ? [] : [`Repeats of ${variantNames(cached, analysis.variants.length)} come from a cache`];
  if (repeats.length === 0 || !areEqualRepeats(analysis)) return said;
  const cellsOf = (of: typeof repeats) => of.reduce((sum, { testable }) => sum + testable, 0);
  const [first = '', ...others] = [...groupBy(repeats, ({ level }) => level)].map(
    ([level, own]) => `${SAME[level]} in ${count(cellsOf(own))}`,
  );
  return [`Same seed again: ${listed([`${first} of ${plural(cellsOf(repeats), 'cell')}`, ...others])}`, ...said];
}

/** Medians that this machine may not tell apart, the first groups in full. */
function indistinctLines(analysis: Analysis, width: number, paint: Paint): readonly string[] {
  const sentences = byKind(analysis.variants).flatMap(([, variants]) => indistinctVariants(analysis, variants));
  const more = sentences.length - MOST_INDISTINCT;
  return [
    ...sentences.slice(0, MOST_INDISTINCT).flatMap((sentence) => wrapped(visibleLine(sentence), width)),
    ...(more > 0 ? [paint('dim', `${capital(count(more))} more such groups of variants in the report`)] : []),
  ];
}
