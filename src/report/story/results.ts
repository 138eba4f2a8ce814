import type { Analysis } from '../../analysis/analysis.ts';
import type { Comparison } from '../../analysis/comparison.ts';
import { headlineLatency } from '../../analysis/effective-sample.ts';
import type { VariantSummary } from '../../analysis/summaries.ts';
import { capital } from '../../kit/wording.ts';
import type { Kind } from '../../suite/kind.ts';
import { answersOf, storedAnswers, type VariantAnswer } from '../answer-statement.ts';
import { likenessClause, likenessTo } from '../likeness-statement.ts';
import type { ReportSource } from '../reporter.ts';
import { answerOf, answersByKind, type KindAnswer } from '../run-answer.ts';
import { passedControls, scoreSentences } from '../score-statement.ts';
import { byKind, ownVariants } from '../statement.ts';
import { besideEarlier } from '../statements/question-facts.ts';
import { blockOf, fold, lines, moreWords, type SentenceBlock, type StoryLine } from '../story-block.ts';

type ComparedRun = Pick<ReportSource, 'analysis' | 'comparisons' | 'verdict'>;

/** Most variants with sentences: of more, or of several kinds, the table says it all. */
const MOST_IN_WORDS = 3;

export function areInWords(variants: readonly VariantSummary[]): boolean {
  return variants.length <= MOST_IN_WORDS && byKind(variants).length === 1;
}

/** Beside the answer of the run: a sentence for each variant; of many, or of several kinds, for those picked out. */
export function headlines(source: ComparedRun): SentenceBlock {
  const said = answerOf(source).answer;
  const all = answersByKind(source).flatMap((asked) => {
    const variants = ownVariants(source.analysis).filter(({ kind }) => kind === asked.kind);
    return variantAnswers(source, variants, { ...asked, answer: said });
  });
  const inWords = areInWords(ownVariants(source.analysis));
  const others = all.filter(({ leads }) => leads || inWords);
  return lines(
    'answers',
    others.map(({ sentence }): StoryLine => ({ sentence, tone: 'strong' })),
  );
}

/** Sentences of a kind on a first screen. */
const MOST_ANSWERS = 3;
const MOST_SCORES = 4;

/** The answer of a kind, then a sentence for each variant; of many, those picked out are at sight. */
export function answers(source: ComparedRun, kind: Kind, variants: readonly VariantSummary[]): SentenceBlock {
  const asked = answersByKind(source).find((each) => each.kind === kind);
  if (asked === undefined) throw new Error(`no answer of ${kind}`);
  const first: StoryLine = { sentence: asked.answer, tone: asked.tone };
  const all = variantAnswers(source, variants, asked);
  const leading = all.filter(({ leads }) => leads).length;
  const { shown, folded } = fold(all, leading || MOST_ANSWERS - 1, leading === 0);
  return blockOf('sentences', 'answers', 'answer', { shown: [first, ...shown], folded });
}

/**
 * With a stored baseline what changed against it; then between variants; then how this run is beside earlier ones, where
 * a rule asks. Not what the answer says already.
 */
function variantAnswers(
  { analysis, comparisons, verdict }: ComparedRun,
  variants: readonly VariantSummary[],
  { kind, about, answer }: KindAnswer,
): readonly VariantAnswer[] {
  const earlier = besideEarlier(verdict.rules.filter((result) => result.kind === kind));
  const nightly = earlier === null ? [] : [{ variant: null, sentence: earlier, tone: null, leads: false }];
  const isSaid = about?.verdict === 'fail' && about.rule.metric === headlineLatency(analysis.run.plan.load);
  const all = [...storedAnswers(analysis, comparisons, variants), ...answersOf(analysis, comparisons, variants)];
  const others = isSaid ? all.filter(({ variant }) => variant !== about.variant) : [...all, ...nightly];
  return others.filter((line) => !isPartOf({ answer }, line));
}

/** An answer may begin with a sentence that stands alone elsewhere. */
function isPartOf({ answer }: Pick<KindAnswer, 'answer'>, { sentence }: StoryLine): boolean {
  return answer.startsWith(sentence.replace(/\.$/, ''));
}

/** Of a stored baseline; nothing where all outputs stay visually similar: what is said of stability is stricter. */
export function changedFromStored({ variant, baseline, baselineRun }: Comparison, analysis: Analysis): string {
  const tally = baselineRun === null ? null : likenessTo(baseline, { name: variant }, analysis);
  return tally === null || tally.compared === tally.similar ? '' : `; ${likenessClause(tally)}`;
}

/**
 * What was found, and what keeps it from being relied on, which is never folded.
 *
 * @param isTight as of `fold`
 */
export function scores(
  { analysis, comparisons, verdict }: ComparedRun,
  variants: readonly VariantSummary[],
  isTight: boolean,
): SentenceBlock {
  const said = answersByKind({ analysis, comparisons, verdict });
  const all = scoreSentences(analysis, comparisons, variants, true).filter((line) =>
    said.every((asked) => !isPartOf(asked, line)),
  );
  const reliable = fold(
    all.filter(({ tone }) => tone === null),
    MOST_SCORES,
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

/** The same of all variants; then which controls passed. */
export function scoresInLines(source: ComparedRun): SentenceBlock {
  const { shown, ...block } = scores(source, ownVariants(source.analysis), false);
  const passed = passedControls(source.analysis).map((sentence): StoryLine => ({ sentence, tone: null }));
  const plain = shown.map((line): StoryLine => (line.tone === 'bad' ? line : { ...line, tone: null }));
  return { ...block, shown: [...plain, ...passed] };
}
