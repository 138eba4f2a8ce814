import type { Analysis } from '../analysis/analysis.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import type { Kind } from '../suite/kind.ts';
import { sweepSteps } from '../suite/sweep.ts';
import type { ReportSource } from './reporter.ts';
import { saysUnchanged } from './run-answer.ts';
import { completeness, loadWords, spendSentence } from './run-statement.ts';
import { stabilitySentences } from './sameness-statement.ts';
import { byKind, measuresOf, ownVariants } from './statement.ts';
import { factsBesideTable, readingNotes } from './story/facts.ts';
import { foldedResults, gateBlocks, gateNotes } from './story/gate.ts';
import { MOST, type Teller } from './story/most.ts';
import { answers, headlines, scores, scoresInLines } from './story/results.ts';
import { causes, foldedWarnings, otherWarnings, probeAnswers, unfitWarnings } from './story/warnings.ts';
import {
  type BlockBySort,
  blockOf,
  fold,
  type SentenceBlock,
  type StoryBlock,
  type StoryPart,
  sentences,
  type TableBlock,
} from './story-block.ts';

/*
 * What a run has to say, for all who tell it: what comes first, what is folded and what is left out. Terminal,
 * Markdown and the first screen of the page only lay its blocks out.
 */

export type StorySource = Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict' | 'stability'>;

/**
 * What each tells, in its order: what needs care stands first and last. A summary for CI begins with the verdict, since a
 * reader of a pull request asks for it.
 */
const ORDER: Readonly<Record<Teller, readonly StoryPart[]>> = {
  terminal: [
    'unfit',
    'answers',
    'run',
    'scores',
    'variants',
    'failures',
    'facts',
    'probes',
    'warnings',
    'gate',
    'notes',
  ],
  markdown: ['unfit', 'gate', 'run', 'answers', 'scores', 'facts', 'variants', 'failures', 'warnings', 'results'],
  screen: ['unfit', 'gate', 'failures', 'answers', 'scores', 'notes', 'facts'],
};

interface StoryOptions {
  /** Whether a page has the rest; for a terminal. */
  readonly hasPage?: boolean;
  /** By default all of the teller. */
  readonly parts?: readonly StoryPart[];
}

/** The blocks of a teller. MOST says how much of each is at sight. */
export function story(
  source: StorySource,
  teller: Teller,
  { hasPage = true, parts = ORDER[teller] }: StoryOptions = {},
): readonly StoryBlock[] {
  return parts.flatMap((part) => BLOCKS[part](source, { teller, hasPage }));
}

/** A block of a story that has its part. @param kind of the variants that it is about */
export function blockIn<Is extends keyof BlockBySort>(
  blocks: readonly StoryBlock[],
  is: Is,
  part: StoryPart,
  kind: Kind | null = null,
): BlockBySort[Is] {
  const found = blocks.find(
    (block): block is BlockBySort[Is] => block.is === is && block.part === part && block.kind === kind,
  );
  if (found === undefined) throw new Error(`the story has no ${is} of ${part}`);
  return found;
}

type Telling = Required<Omit<StoryOptions, 'parts'>> & { readonly teller: Teller };

const BLOCKS: Readonly<Record<StoryPart, (source: StorySource, telling: Telling) => readonly StoryBlock[]>> = {
  run: (source, { teller }) => [runLines(source, teller)],
  unfit: ({ analysis }) => [unfitWarnings(analysis)],
  gate: (source, { teller }) => gateBlocks(source, teller),
  results: (source) => [foldedResults(source)],
  failures: ({ analysis }, { teller }) => [causes(analysis, teller)],
  variants: ({ analysis }, { teller }) => [teller === 'terminal' ? fastestVariants(analysis) : allVariants(analysis)],
  answers: (source, { teller }) => {
    const most = MOST[teller].answers;
    if (teller !== 'screen') return [headlines(source)];
    return byKind(source.analysis.variants).map(([kind, ofKind]) => ({ ...answers(source, kind, ofKind, most), kind }));
  },
  scores: (source, { teller }) => {
    const most = MOST[teller].scores;
    if (teller === 'terminal') return [scoresInLines(source, most)];
    if (teller === 'markdown') return [scores(source, source.analysis.variants, most, true)];
    return byKind(source.analysis.variants).map(([kind, ofKind]) => ({ ...scores(source, ofKind, most, true), kind }));
  },
  facts: (source, { teller }) => {
    if (teller !== 'screen') return [factsBesideTable(source, MOST[teller].facts)];
    return [sentences('facts', stabilitySentences(source, saysUnchanged(source)))];
  },
  probes: ({ analysis }) => [probeAnswers(analysis)],
  warnings: ({ analysis, verdict }, { teller, hasPage }) =>
    teller === 'terminal'
      ? otherWarnings(analysis, { hasPage, hasPassed: verdict.verdict === 'pass' })
      : [foldedWarnings(analysis)],
  notes: (source, { teller }) => [teller === 'terminal' ? gateNotes(source) : sentences('notes', readingNotes(source))],
};

/** Whether the run is complete, on a terminal how it was sent where that is not usual, and what it cost. */
function runLines({ analysis }: StorySource, teller: Teller): SentenceBlock {
  const { plan } = analysis.run;
  const spent = [spendSentence(analysis) ?? []].flat();
  if (teller === 'markdown') return sentences('run', [completeness(analysis), ...spent]);
  const due = plan.load.mode === 'open' ? '; p50 counts from the planned send time' : '';
  const isUsual = plan.load.mode === 'closed' && sweepSteps(plan.load) === null;
  return sentences('run', [...(isUsual ? [] : [`Load: ${loadWords(plan.load)}${due}`]), ...spent]);
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

function allVariants({ variants }: Pick<Analysis, 'variants'>): TableBlock {
  return blockOf(
    'tables',
    'variants',
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
