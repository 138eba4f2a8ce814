import type { Analysis } from '../analysis/analysis.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { sweepSteps } from '../suite/sweep.ts';
import type { ReportSource } from './reporter.ts';
import { isWhole, loadWords, sentSentence, spendSentence } from './run-statement.ts';
import { byKind, measuresOf, ownVariants } from './statement.ts';
import { factsBesideTable } from './story/facts.ts';
import { gateBlocks, gateNotes } from './story/gate.ts';
import { headlines, scoresInLines } from './story/results.ts';
import { causes, otherWarnings, probeAnswers, unfitWarnings } from './story/warnings.ts';
import {
  blockOf,
  fold,
  lines,
  type SentenceBlock,
  type StoryBlock,
  type StoryPart,
  sentences,
  type TableBlock,
} from './story-block.ts';

/*
 * What a run has to say, in lines: what comes first, what is folded and what is left out. The end of a command and the
 * summary for CI lay the same blocks out; the first screen of the page has its own (`first-screen.ts`).
 */

export type StorySource = Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict' | 'stability'>;

/** Causes of failures at sight. */
const MOST_CAUSES = 5;

/** The blocks of some parts, in their order. @param hasPage whether a page has the rest */
export function story(source: StorySource, parts: readonly StoryPart[], hasPage: boolean): readonly StoryBlock[] {
  return parts.flatMap((part) => BLOCKS[part](source, hasPage));
}

const BLOCKS: Readonly<Record<StoryPart, (source: StorySource, hasPage: boolean) => readonly StoryBlock[]>> = {
  sent: ({ analysis }) => {
    const isQuiet = isWhole(analysis) || !analysis.run.complete;
    return [lines('sent', [{ sentence: `${sentSentence(analysis)}.`, tone: isQuiet ? null : 'warn' }])];
  },
  run: ({ analysis }) => [runLines(analysis)],
  unfit: ({ analysis }) => [unfitWarnings(analysis)],
  gate: ({ verdict }) => gateBlocks(verdict),
  failures: ({ analysis }) => [causes(analysis, MOST_CAUSES)],
  variants: ({ analysis }) => [fastestVariants(analysis)],
  answers: (source) => [headlines(source)],
  scores: (source) => [scoresInLines(source)],
  facts: (source) => [factsBesideTable(source)],
  probes: ({ analysis }) => [probeAnswers(analysis)],
  warnings: ({ analysis, verdict }, hasPage) => [
    otherWarnings(analysis, { hasPage, hasPassed: verdict.verdict === 'pass' }),
  ],
  notes: (source) => [gateNotes(source)],
};

/** How the run was sent where that is not usual, and what it cost. */
function runLines(analysis: Analysis): SentenceBlock {
  const { load } = analysis.run.plan;
  const due = load.mode === 'open' ? '; p50 counts from the planned send time' : '';
  const isUsual = load.mode === 'closed' && sweepSteps(load) === null;
  return sentences('run', [isUsual ? [] : `Load: ${loadWords(load)}${due}`, spendSentence(analysis) ?? []].flat());
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
  return blockOf('tables', 'variants', 'kind', fold(tables));
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
