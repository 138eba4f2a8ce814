import type { Analysis } from '../../analysis/analysis.ts';
import { hasNote, NEW_AGAINST_IN_USE } from '../../analysis/note.ts';
import { count } from '../../kit/wording.ts';
import { leadsWithEdits, unequal } from '../answer-statement.ts';
import {
  adjustedWords,
  comparisonGroups,
  groupSentence,
  headlineComparisons,
  inUseWords,
  isCompared,
  moreUnits,
  tellsApart,
} from '../comparison-statement.ts';
import {
  editSentences,
  isUntellable,
  likenessToBaseline,
  mostChangedSentence,
  unknownLikeness,
} from '../likeness-statement.ts';
import type { ReportSource } from '../reporter.ts';
import { saysUnchanged } from '../run-answer.ts';
import {
  areEqualRepeats,
  cachedSentences,
  repeatsOf,
  samenessSentences,
  stabilitySentences,
} from '../sameness-statement.ts';
import { byKind, ownVariants } from '../statement.ts';
import { fold, moreWords, type SentenceBlock, sentences } from '../story-block.ts';
import { areInWords, changedFromStored } from './results.ts';

type FactSource = Pick<ReportSource, 'analysis' | 'comparisons' | 'stability' | 'verdict'>;

/** Sentences on what is compared with nothing. */
const MOST_WITHOUT = 2;

/** Sentences on a stored baseline. */
const MOST_STORED = 4;

export function factsBesideTable(source: FactSource): SentenceBlock {
  const { analysis, comparisons } = source;
  const own = ownVariants(analysis);
  const tallies = own.flatMap((variant) => likenessToBaseline(variant, analysis) ?? []);
  const isTold = areInWords(own) && tallies.every((tally) => tally.unknown.length === 0 || isUntellable(tally));
  const unlike = isTold ? null : unknownLikeness(analysis);
  return sentences('facts', [
    ...readingNotes({ analysis, comparisons }),
    ...comparedElsewhere({ analysis, comparisons }),
    ...repeatSentences(analysis),
    ...[mostChangedSentence(analysis) ?? [], unlike ?? []].flat(),
    ...stabilitySentences(source, saysUnchanged(source)),
  ]);
}

function comparedElsewhere({ analysis, comparisons }: Omit<FactSource, 'stability' | 'verdict'>): readonly string[] {
  const headlines = headlineComparisons(comparisons, analysis.run.plan.load);
  const without = comparisonGroups(headlines.filter((headline) => !isCompared(headline)));
  const stored = headlines.filter((headline) => isCompared(headline) && headline.baselineRun !== null);
  const beside = fold(
    [...stored.filter(tellsApart), ...stored.filter((comparison) => !tellsApart(comparison))],
    MOST_STORED,
  );
  const more = moreWords(beside.folded, 'variant');
  const needs = moreUnits(headlines, analysis.run);
  // Where a remedy says why nothing is compared, once is enough.
  const isSaid = needs.length > 0 && without.every(([{ notes }]) => hasNote(notes, 'sequential'));
  const untold = fold(isSaid ? [] : without, MOST_WITHOUT);
  return [
    ...untold.shown.map(groupSentence),
    ...(untold.folded.length > 0 ? [`${count(untold.folded.length)} more without a comparison`] : []),
    ...beside.shown.map((comparison) => groupSentence([comparison]) + changedFromStored(comparison, analysis)),
    ...(more === null ? [] : [`${more} ${NEW_AGAINST_IN_USE} in the report`]),
    ...needs,
  ];
}

/** Whether repeats are equal; where they differ a table has a column instead. */
function repeatSentences(analysis: Analysis): readonly string[] {
  return areEqualRepeats(repeatsOf(analysis)) ? samenessSentences(analysis) : cachedSentences(analysis);
}

/** What in use and new mean, how differences are told of many candidates, and what edits did to their input. */
export function readingNotes({ analysis, comparisons }: Omit<FactSource, 'stability' | 'verdict'>): readonly string[] {
  const adjusted = adjustedWords(unequal(comparisons, analysis), analysis.run.plan.load);
  const told = byKind(ownVariants(analysis)).flatMap(([, variants]) =>
    leadsWithEdits(variants, analysis.run.plan.load) ? [] : variants,
  );
  return [inUseWords(analysis.run) ?? [], adjusted ?? [], editSentences(analysis, told)].flat();
}
