import type { Analysis } from '../analysis/analysis.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { keptIn } from '../gate/kept-verdict.ts';
import { allowance, estimateWords, ruleSubject } from '../gate/verdict-statement.ts';
import { plural } from '../kit/wording.ts';
import { voidWords } from './answer-statement.ts';
import { adjustedWords } from './comparison-statement.ts';
import type { ReportSource } from './reporter.ts';
import { completeness, loadWords, spendSentence, sweepSteps, whatIsComplete } from './run-statement.ts';
import { stabilitySentences } from './sameness-statement.ts';
import { byKind, measuresOf, ownVariants } from './statement.ts';
import { comparisonFacts, factsBesideTable, measuredFacts, readingNotes } from './story/facts.ts';
import { foldedResults, gateLimits, gateNotes, screenGate, someRules, toldRules, verdictLines } from './story/gate.ts';
import { allScores, answers, comparedSpeeds, headlines, scores, scoresInLines } from './story/results.ts';
import { causes, foldedWarnings, otherWarnings, probeAnswers, unfitWarnings } from './story/warnings.ts';
import {
  blockOf,
  fold,
  lines,
  type SentenceBlock,
  type StoryBlock,
  sentences,
  type TableBlock,
} from './story-block.ts';

/*
 * What a run has to say, for all who tell it: what comes first, what is folded and what is left out. Terminal,
 * Markdown, the first screen of the page and the card only lay its blocks out.
 */

export type StorySource = Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict' | 'stability'>;

const MOST_CAUSES_ON_TERMINAL = 5;

/** Blocks by rank: what needs care stands first and last. @param hasPage whether a page has the rest */
export function terminalStory(source: StorySource, hasPage: boolean): readonly (readonly StoryBlock[])[] {
  const { analysis, verdict } = source;
  const hasPassed = verdict.verdict === 'pass';
  const { more, ...someCauses } = causes(analysis, MOST_CAUSES_ON_TERMINAL);
  const failed = { ...someCauses, more: more === null ? null : `and ${more} in the report` };
  return [
    [runLines(source), unfitWarnings(analysis)],
    [headlines(source), scoresInLines(source)],
    [fastestVariants(analysis)],
    [failed],
    [...factsBesideTable(source), probeAnswers(analysis), ...otherWarnings(analysis, { hasPage, hasPassed })],
    [someRules(verdict), gateLimits(verdict), gateNotes(verdict, analysis)],
  ];
}

/** Whether the run is complete, how it was sent where that is not usual, and what it cost. */
function runLines({ analysis }: StorySource): SentenceBlock {
  const { load } = analysis.run.plan;
  const due = load.mode === 'open' ? '; p50 counts from the planned send time' : '';
  const isUsual = load.mode === 'closed' && sweepSteps(load) === null;
  return lines('run', [
    ...(analysis.run.complete ? [] : [{ sentence: `${whatIsComplete(analysis)}.`, tone: 'bad' as const }]),
    ...sentences('run', [
      ...(isUsual ? [] : [`Load: ${loadWords(load)}${due}`]),
      ...[spendSentence(analysis) ?? []].flat(),
    ]).shown,
  ]);
}

const MOST_IN_MARKDOWN = 12;

/** The verdict first, since a reader of a pull request asks for it; what few read is folded. */
export function markdownStory(source: StorySource): readonly StoryBlock[] {
  const { analysis, verdict } = source;
  const most = MOST_IN_MARKDOWN;
  return [
    unfitWarnings(analysis),
    verdictLines(verdict, analysis),
    toldRules(verdict, most),
    sentences('run', [completeness(analysis), ...[spendSentence(analysis) ?? []].flat()]),
    comparedSpeeds(source, most),
    allScores(source, most),
    comparisonFacts(source),
    measuredFacts(source, most),
    allVariants(analysis),
    causes(analysis, most),
    foldedWarnings(analysis),
    foldedResults(verdict),
  ];
}

/** For a list of runs, of the text of a verdict.json: the first rule that failed, `voidWords`, and the first warning. */
export function alarmsIn(text: string): { readonly bad: readonly string[]; readonly warn: string | null } {
  const { rules, warnings } = keptIn(text);
  const [failed] = rules.filter(({ verdict }) => verdict === 'fail');
  const [first] = warnings;
  return {
    bad: [
      failed === undefined ? [] : `Failed: ${ruleSubject(failed)}: ${estimateWords(failed)}, ${allowance(failed)}`,
      voidWords(warnings) ?? [],
    ].flat(),
    warn:
      first === undefined
        ? null
        : `${plural(warnings.length, 'warning')}${warnings.length === 1 ? '' : ', first'}: ${first.what}`,
  };
}

/** What must be known before any number, and what went wrong; of the first screen of the page, whose images must find
 * room. */
export function screenTrouble({ analysis, verdict }: Pick<StorySource, 'analysis' | 'verdict'>) {
  return {
    unfit: unfitWarnings(analysis),
    gate: screenGate(verdict, analysis.variants),
    causes: causes(analysis, MOST_CAUSES_ON_SCREEN),
  };
}

const MOST_CAUSES_ON_SCREEN = 2;

/** What came out of the variants of each kind, then how to read it. */
export function screenAnswers(source: StorySource) {
  const { analysis } = source;
  const kinds = byKind(analysis.variants).map(([kind, variants]) => ({
    kind,
    variants,
    answers: answers(source, variants),
    scores: scores(source, variants, true),
  }));
  return { kinds, notes: readingNotes(source), stored: sentences('facts', stabilitySentences(source.stability)) };
}

/** For where there is little room: what stops or distorts the run, then all rules that need care and all causes. */
export function cardTrouble({ analysis, verdict }: Pick<StorySource, 'analysis' | 'verdict'>) {
  const stopped = analysis.run.complete ? [] : [whatIsComplete(analysis)];
  return {
    run: sentences('run', stopped),
    unfit: unfitWarnings(analysis),
    rules: toldRules(verdict),
    causes: causes(analysis),
  };
}

/** What came out of some variants, all of it at sight; its intervals stand in the report. */
export function cardAnswers(source: StorySource, variants: readonly VariantSummary[]) {
  const { shown, folded } = answers(source, variants);
  const isAdjusted = adjustedWords(source.comparisons, source.analysis.run.plan.load) !== null;
  const notes = isAdjusted ? ['a stricter test decides, since there are several candidates'] : [];
  return { lines: [...shown, ...folded], notes };
}

/** More variants are ranked by their median, and the slowest left out. */
const MOST_VARIANTS = 16;
/** Of a sweep, each has a row for each step too. */
const MOST_STEPS = 24;
const FEWEST_OF_KIND = 3;

/** Kind by kind; of many variants the baseline variant and the fastest. Twins have a line of their own. */
function fastestVariants(analysis: Analysis): TableBlock {
  const median = medianOf(analysis);
  const inSuite = ownVariants(analysis);
  const kinds = byKind(inSuite);
  const steps = sweepSteps(analysis.run.plan.load);
  const all = steps === null ? MOST_VARIANTS : Math.max(1, Math.floor(MOST_STEPS / (1 + steps.length)));
  const most = Math.max(steps === null ? FEWEST_OF_KIND : 1, Math.floor(all / kinds.length));
  const bySpeed = (a: VariantSummary, b: VariantSummary) => order(median(a), median(b));
  const tables = kinds.map(([kind, ofKind]) => {
    const variants =
      inSuite.length > all && ofKind.length > most
        ? ofKind
            .toSorted((a, b) => Number(b.baseline) - Number(a.baseline) || bySpeed(a, b))
            .slice(0, most)
            .toSorted(bySpeed)
        : ofKind;
    return { kind, variants, folded: ofKind.length - variants.length };
  });
  return blockOf('tables', 'facts', 'kind', fold(tables));
}

function allVariants({ variants }: Pick<Analysis, 'variants'>): TableBlock {
  return blockOf(
    'tables',
    'facts',
    'kind',
    fold(byKind(variants).map(([kind, ofKind]) => ({ kind, variants: ofKind, folded: 0 }))),
  );
}

function medianOf(analysis: Analysis): (variant: Pick<VariantSummary, 'name'>) => number {
  const measures = measuresOf(analysis);
  const metric = headlineLatency(analysis.run.plan.load);
  return ({ name }) => measures(name, metric, 'p50')?.value ?? Infinity;
}

/** Handles two missing medians: their difference is not a number. */
function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
