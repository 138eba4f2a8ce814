import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { capital } from '../../kit/wording.ts';
import { answersOf, headlinesOf, latencySentences, storedAnswers, unequal } from '../answer-statement.ts';
import {
  comparisonGroups,
  groupSentence,
  headlineComparisons,
  inOrder,
  speedHeadline,
  tellsApart,
} from '../comparison-statement.ts';
import { likenessClause, likenessTo } from '../likeness-statement.ts';
import type { ReportSource } from '../reporter.ts';
import { sweepSteps } from '../run-statement.ts';
import { passedControls, scoreSentences } from '../score-statement.ts';
import { byKind, ownVariants } from '../statement.ts';
import {
  blockOf,
  fold,
  leftOut,
  lines,
  moreWords,
  type SentenceBlock,
  type StoryLine,
  sentences,
} from '../story-block.ts';

type ComparedRun = Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'>;

/** Most variants with sentences: of more, or of several kinds, the table says it all. */
const MOST_IN_WORDS = 3;

export function areInWords(variants: readonly VariantSummary[]): boolean {
  return variants.length <= MOST_IN_WORDS && byKind(variants).length === 1;
}

/** The comparisons that a rule of the gate failed by: a reader must see them first. */
function failedBy({ analysis, comparisons, verdict: { rules } }: ComparedRun): readonly Comparison[] {
  return headlineComparisons(comparisons, analysis.run.plan.load).filter(({ variant, baseline, metric }) =>
    rules.some(
      (of) => of.verdict === 'fail' && of.variant === variant && of.against === baseline && of.rule.metric === metric,
    ),
  );
}

/** What the speed of each variant costs, where few variants of one kind were measured; of many, those picked out. */
export function headlines(source: ComparedRun): SentenceBlock {
  const { analysis, comparisons } = source;
  const variants = ownVariants(analysis);
  const stored = failedFirst(storedAnswers(analysis, comparisons, variants), source).slice(0, MOST_IN_WORDS);
  const strong = (answers: readonly { readonly sentence: string }[]) =>
    lines(
      'answers',
      [...stored, ...answers].map(({ sentence }) => ({ sentence, tone: 'strong' })),
    );
  if (!areInWords(variants))
    return strong(
      byKind(variants).flatMap(([, ofKind]) => answersOf(analysis, comparisons, ofKind).filter(({ leads }) => leads)),
    );
  const isAlone = variants.length === 1 && sweepSteps(analysis.run.plan.load) === null;
  const alone = isAlone ? sentences('answers', latencySentences({ ...analysis, variants }, [])).shown : [];
  return strong([...headlinesOf(variants, { analysis, comparisons }), ...alone]);
}

/** A sentence of a few words for each variant; of many, those picked out are at sight. */
export function answers(source: ComparedRun, variants: readonly VariantSummary[], most: number): SentenceBlock {
  const { analysis, comparisons } = source;
  const stored = failedFirst(storedAnswers(analysis, comparisons, variants), source);
  const own = failedFirst(answersOf(analysis, comparisons, variants), source);
  if (stored.length > 0) {
    // Who sends a stored baseline again asks of it; a rule that failed between variants is said as one.
    const { shown, folded } = fold(stored, most);
    const parts = { shown, folded: [...folded, ...own] };
    return blockOf('sentences', 'answers', 'answer', parts, own.length === 0 ? undefined : 'Between variants');
  }
  const leading = own.some(({ leads }) => leads) ? own.filter(({ leads, fails }) => leads || fails).length : 0;
  return blockOf('sentences', 'answers', 'variant', fold(own, leading || most, leading === 0));
}

function failedFirst<Answer extends { readonly sentence: string }>(all: readonly Answer[], source: ComparedRun) {
  const failed = failedBy(source).flatMap((comparison) => speedHeadline(comparison) ?? []);
  return all
    .map((answer) => ({ ...answer, fails: failed.some((words) => answer.sentence.includes(words)) }))
    .toSorted((a, b) => Number(b.fails) - Number(a.fails));
}

/** Of a stored baseline; nothing where all outputs stay visually similar: what is said of stability is stricter. */
export function changedFromStored({ variant, baseline, baselineRun }: Comparison, analysis: Analysis): string {
  const tally = baselineRun === null ? null : likenessTo(baseline, { name: variant }, analysis);
  return tally === null || tally.compared === tally.similar ? '' : `; ${likenessClause(tally)}`;
}

/** With interval, evidence and likeness; of many the fastest come first and the others are folded. */
export function comparedSpeeds(source: ComparedRun, most: number): SentenceBlock {
  const { analysis, comparisons } = source;
  const all = headlineComparisons(comparisons, analysis.run.plan.load);
  const headlines = unequal(all, analysis);
  const equal = new Set(all.filter((comparison) => !headlines.includes(comparison)).map(({ variant }) => variant));
  const variants = analysis.variants.filter(({ name }) => !equal.has(name));
  const likeness = new Map(
    headlinesOf(variants, { analysis, comparisons: [] }).map((headline) => [headline.variant, headline]),
  );
  const isStored = ({ baselineRun }: Comparison) => baselineRun !== null;
  const failed = failedBy(source);
  const ordered = new Set([...[...failed, ...headlines].filter(isStored), ...failed, ...inOrder(headlines, most)]);
  const compared = comparisonGroups([...ordered]).map((group): StoryLine => {
    const [{ variant, baselineRun, step }] = group;
    const like = group.length === 1 && baselineRun === null && step === null ? likeness.get(variant) : undefined;
    if (like !== undefined) likeness.delete(variant);
    const end = like === undefined ? '' : `; ${like.likeness}`;
    const changed = group.length === 1 && step === null ? changedFromStored(group[0], analysis) : '';
    return { sentence: `${groupSentence(group)}${changed}${end}.`, tone: group.some(tellsApart) ? 'strong' : null };
  });
  const others = [...likeness.values()].map(({ sentence }): StoryLine => ({ sentence, tone: null }));
  return blockOf('sentences', 'answers', 'comparison', fold([...compared, ...others], most));
}

/** What scorers say of the outputs: the first of all. */
export function allScores({ analysis, comparisons }: ComparedRun, most: number): SentenceBlock {
  return blockOf('sentences', 'scores', 'score', fold(scoreSentences(analysis, comparisons, analysis.variants), most));
}

/**
 * What was found, and what keeps it from being relied on, which is never folded.
 *
 * @param isTight as of `fold`
 */
export function scores(
  { analysis, comparisons }: ComparedRun,
  variants: readonly VariantSummary[],
  most: number,
  isTight: boolean,
): SentenceBlock {
  const all: readonly StoryLine[] = scoreSentences(analysis, comparisons, variants, true);
  const reliable = fold(
    all.filter(({ tone }) => tone === null),
    most,
    isTight,
  );
  const isFolded = (line: StoryLine) => line.tone === 'void' || reliable.folded.includes(line);
  const shown = all.filter((line) => !isFolded(line));
  // A page has room for the evidence of votes and judges, folded.
  const evidence = (isTight ? scoreSentences(analysis, comparisons, variants) : []).filter(({ sentence }) =>
    all.every((line) => line.sentence !== sentence),
  );
  const folded = all.filter(isFolded);
  const more = [moreWords(folded, 'score') ?? [], evidence.length === 0 ? [] : 'details of votes and judges'].flat();
  const parts = { shown, folded: [...folded, ...evidence] };
  return blockOf('sentences', 'scores', 'score', parts, more.length === 0 ? null : capital(more.join(', ')));
}

/** The same without what nobody may rely on, which is left to the report; then which controls passed. */
export function scoresInLines(source: ComparedRun, most: number): SentenceBlock {
  const { shown, folded } = scores(source, ownVariants(source.analysis), most, false);
  const more = moreWords(
    folded.filter(({ tone }) => tone !== 'void'),
    'score',
  );
  const passed = passedControls(source.analysis).map((sentence): StoryLine => ({ sentence, tone: null }));
  const plain = shown.map((line): StoryLine => (line.tone === 'bad' ? line : { ...line, tone: null }));
  return lines('scores', [...plain, ...leftOut(more), ...passed]);
}
