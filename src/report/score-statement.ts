import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import { CONTROL_FOUND, hasNote } from '../analysis/note.ts';
import type { ScorerSummary } from '../analysis/output-summaries.ts';
import { overallComparisons } from '../analysis/pair-units.ts';
import type { Measure, MeasuredMetric, VariantSummary } from '../analysis/summaries.ts';
import { groupBy } from '../kit/grouping.ts';
import { outputNoun } from '../kit/names.ts';
import { printedBeside, roughSize } from '../kit/value-words.ts';
import { count, plural } from '../kit/wording.ts';
import { CONTROL_SAMPLES, CONTROLS } from '../record/codes.ts';
import { doubtClause, NO_DIFFERENCE, sidesOf, tooFewWords } from './comparison-statement.ts';
import { agreementSentence, judgeSentences } from './preference-statement.ts';
import { stepsWords } from './run-statement.ts';
import { measuresOf, type Statement, statementOf } from './statement.ts';
import { CONTROL_WORDS, unscoredWords, voteSentences } from './statements/score-words.ts';
import type { StoryLine } from './story-block.ts';

/*
 * What scorers say of outputs. Which of two scores is better is what the suite declares of it; a score without a
 * direction is only higher or lower. Only votes say that one output is better than another.
 */

/** A metric that a scorer gives. */
export type ScoreMetric = MeasuredMetric & { readonly scorer: ScorerSummary };

type AnalysedScores = Pick<Analysis, 'scorers' | 'votes' | 'agreement' | 'metrics' | 'measures' | 'variants'>;

/** In the order of the scorers; none without one. */
export function scoreMetrics({ scorers = [], metrics }: Pick<Analysis, 'scorers' | 'metrics'>): readonly ScoreMetric[] {
  return scorers.flatMap((scorer) =>
    scorer.metrics.flatMap((name) =>
      metrics.filter((metric) => metric.name === name).map((metric) => ({ ...metric, scorer })),
    ),
  );
}

/**
 * What people prefer; what keeps scores of these variants from being relied on, among it that votes prefer the opposite of a judge;
 * what judges prefer; then a sentence for each score and variant that is compared, what is worse first; of variants that
 * are compared with nothing, what their scores are; then which judges prefer what people prefer.
 *
 * `bad`: no number of a score may be relied on; these are `void`. `warn`: something keeps it from being sure.
 *
 * @param isBrief leaves the evidence of votes and judges to other places
 */
export function scoreSentences(
  analysis: AnalysedScores,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
  isBrief = false,
): readonly StoryLine[] {
  const metrics = scoreMetrics(analysis).filter(({ name }) =>
    variants.some((variant) => scoreMeasure(analysis, variant.name, name) !== null),
  );
  const names = new Set(variants.map(({ name }) => name));
  const scored = metrics.flatMap((metric) => {
    const compared = overallComparisons(comparisons, metric.name).filter(({ variant }) => names.has(variant));
    const isVoid = controlNote(analysis, metric.name) === 'control_failed';
    const words = compared.some(({ value }) => value !== null)
      ? alike(compared, metric).map(([words, order]) => ({ words, order }))
      : variants.map((variant) => ({ words: scoredWords(analysis, variant, metric), order: 'other' as const }));
    return words.flatMap(({ words, order }) => (words === null ? [] : [{ words, order, isVoid }]));
  });
  const judges = scoreMetrics(analysis).filter(({ scorer }) => scorer.judge !== undefined);
  const judged = judges.map((metric) => ({
    metric,
    words: judgeSentences(metric.scorer, comparisons, variants, isBrief),
  }));
  const asked = [...judged.filter(({ words }) => words.length > 0).map(({ metric }) => metric), ...metrics];
  const agreed = (finding: 'agrees' | 'disagrees') =>
    judges
      .filter(({ name }) => controlNote(analysis, name) !== 'control_failed')
      .flatMap(({ name }) => {
        const agreement = agreementSentence(analysis, name);
        return agreement?.finding === finding ? [agreement.sentence] : [];
      });
  return [
    ...voteSentences(analysis, comparisons, variants, isBrief).map((words) => scoreSentence(words, null)),
    ...asked.flatMap((metric) => faultSentence(analysis, metric) ?? []),
    ...agreed('disagrees').map((words) => scoreSentence(words, 'warn')),
    ...judged.flatMap(({ metric: { name }, words }) => {
      const isVoid = controlNote(analysis, name) === 'control_failed';
      return words.map((sentence) => scoreSentence(sentence, isVoid ? 'void' : null));
    }),
    ...scored
      .toSorted((a, b) => ORDER.indexOf(a.order) - ORDER.indexOf(b.order))
      .map(({ words, isVoid }) => scoreSentence(words, isVoid ? 'void' : null)),
    ...agreed('agrees').map((words) => scoreSentence(words, null)),
    ...(analysis.scorers ?? [])
      .flatMap((scorer) => missingScores(scorer, names))
      .map((words) => scoreSentence(words, 'warn')),
  ];
}

function scoreSentence(words: string, tone: StoryLine['tone']): StoryLine {
  return { sentence: `${words}.`, tone };
}

/** The mean of a variant over all prompts; null where it has nothing to score. */
export function scoreMeasure(
  { measures }: Pick<Analysis, 'measures'>,
  variant: string,
  metric: string,
): Measure | null {
  return measuresOf({ measures })(variant, metric, 'mean');
}

/** With as many digits as fit the interval. */
export function scoreStatement(measure: Measure | null): Statement {
  const print = printedBeside(intervalOf(measure), measure?.unit ?? 'score');
  return statementOf(measure, print.value, print.valueInterval);
}

function intervalOf(
  of: Pick<Measure, 'ciLow' | 'ciHigh'> | null,
): { readonly low: number; readonly high: number } | null {
  return of === null || of.ciLow === null || of.ciHigh === null ? null : { low: of.ciLow, high: of.ciHigh };
}

/** What is worse must not be overlooked. */
const ORDER = ['worse', 'other', 'undecided', 'estimate'] as const;

function orderOf(comparison: Comparison): (typeof ORDER)[number] {
  if (comparison.finding === 'too_few') return comparison.value === 0 ? 'undecided' : 'estimate';
  if (comparison.finding === 'undecided') return 'undecided';
  return directionOf(comparison) === 'worse' ? 'worse' : 'other';
}

function directionOf({ value, better }: Pick<Comparison, 'value' | 'better'>): 'better' | 'worse' | null {
  if (value === null || value === 0 || better === null) return null;
  return value > 0 === (better === 'higher') ? 'better' : 'worse';
}

/** Each sentence once, with the steps of a sweep that it is true of, and where it stands. */
function alike(
  comparisons: readonly Comparison[],
  metric: ScoreMetric,
): readonly (readonly [words: string | null, order: ReturnType<typeof orderOf>])[] {
  return [...groupBy(comparisons, (comparison) => comparedWords(comparison, metric, '') ?? '').values()].map(
    (group) => {
      const [first] = group;
      const steps = group.flatMap(({ step }) => step ?? []);
      const at = steps.length === 0 ? '' : ` at concurrency ${stepsWords(steps)}`;
      return [comparedWords(first, metric, at), orderOf(first)] as const;
    },
  );
}

/**
 * `score.hps: fast-lcm scores worse than standard in 12 of 12 images, 0.049 lower on average [0.046, 0.052]`; null where
 * there is nothing to say but what is missing, which has its own sentence.
 */
function comparedWords(comparison: Comparison, { name }: ScoreMetric, at: string): string | null {
  const { value, finding, unit, nUnits, unitValues, kind } = comparison;
  const [variant, baseline] = sidesOf(comparison);
  const noun = outputNoun(kind);
  if (value === null) return null;
  const ends = intervalOf(comparison);
  const print = printedBeside(ends, unit);
  const lacks = doubtClause(comparison);
  if (value === 0 && unitValues.every((unitValue) => unitValue === 0))
    return `${name}: ${variant} and ${baseline} score the same${at} in ${count(nUnits)} of ${plural(nUnits, noun)}${lacks}`;
  if (finding === 'undecided' || value === 0) {
    const interval = ends === null ? '' : ` ${print.differenceInterval(ends.low, ends.high)}`;
    return `${name}, ${variant} and ${baseline}${at}: ${NO_DIFFERENCE}${interval}${lacks}`;
  }
  const isLower = value < 0;
  const side = isLower ? 'lower' : 'higher';
  const sameSide = unitValues.filter((unitValue) => (isLower ? unitValue < 0 : unitValue > 0)).length;
  const pairs = `${count(sameSide)} of ${plural(nUnits, noun)}`;
  if (ends === null)
    return `${name}: ${variant} against ${baseline}${at}: ${tooFewWords([comparison], noun)}; estimate ${roughSize(value, unit)} ${side}`;
  const scores = `${name}: ${variant} scores ${directionOf(comparison) ?? side} than ${baseline}${at} in ${pairs},`;
  const sizes = print.sizeInterval(isLower ? ends.high : ends.low, isLower ? ends.low : ends.high);
  return `${scores} ${print.size(value)} ${side} on average ${sizes}${lacks}`;
}

/** Of a variant that is compared with nothing: `score.hps: fast scores 0.291 [0.287 – 0.295] over 12 images`. */
function scoredWords(analysis: AnalysedScores, variant: VariantSummary, { name }: ScoreMetric): string | null {
  const { value, interval, n } = scoreStatement(scoreMeasure(analysis, variant.name, name));
  if (value === null) return null;
  return `${name}: ${variant.name} scores ${value}${interval === null ? '' : ` [${interval}]`} over ${plural(n, outputNoun(variant.kind))}`;
}

type ControlNote = 'control_failed' | 'too_few_for_control';

/** Why a score decides nothing, whatever its numbers are. */
export function controlNote({ measures }: Pick<Analysis, 'measures'>, metric: string): ControlNote | null {
  const notes = measures.filter((measure) => measure.metric === metric).flatMap((measure) => measure.notes);
  const codes = ['control_failed', 'too_few_for_control'] as const;
  return codes.find((code) => hasNote(notes, code)) ?? null;
}

/** Why no number of a score may be relied on, without a full stop; null where its control did not fail. */
export function distrustOf(
  analysis: AnalysedScores,
  { name, scorer }: Pick<ScoreMetric, 'name' | 'scorer'>,
): string | null {
  const isFailed = controlNote(analysis, name) === 'control_failed';
  return isFailed ? `Do not rely on ${name}: ${controlWords(scorer, name)}` : null;
}

function faultSentence(analysis: AnalysedScores, { name, scorer }: ScoreMetric): StoryLine | null {
  switch (controlNote(analysis, name)) {
    case 'control_failed':
      return scoreSentence(distrustOf(analysis, { name, scorer }) ?? '', 'bad');
    case 'too_few_for_control':
      return scoreSentence(`Too few outputs to test whether ${name} finds worse copies`, 'warn');
    case null:
      return null;
  }
}

/** Of each judge that found enough worse copies, with how many. */
export function passedControls(analysis: AnalysedScores): readonly string[] {
  return scoreMetrics(analysis).flatMap(({ name, scorer }) => {
    const isTested = scorer.judge !== undefined && scorer.controls.length > 0;
    if (!isTested || controlNote(analysis, name) !== null) return [];
    return [`The controls of ${name} passed: ${controlWords(scorer, name)}.`];
  });
}

/**
 * `a blurred copy scores worse in 16 of 16, a coarse JPEG copy in 15 of 16 (one kind of copy needs 14 of 16)`, of a judge
 * `loses in both orders`; empty where none was made.
 */
export function controlWords({ controls, use }: Pick<ScorerSummary, 'controls' | 'use'>, metric: string): string {
  const verb = use === 'judge' ? 'loses in both orders' : 'scores worse';
  const counts = controls
    .filter((control) => control.metric === metric)
    .toSorted((a, b) => CONTROLS.indexOf(a.control) - CONTROLS.indexOf(b.control))
    .map(
      ({ control, found, of }, at) =>
        `${CONTROL_WORDS[control]}${at === 0 ? ` ${verb}` : ''} in ${count(found)} of ${count(of)}`,
    );
  return counts.length === 0
    ? ''
    : `${counts.join(', ')} (one kind of copy needs ${CONTROL_FOUND} of ${CONTROL_SAMPLES})`;
}

/** Outputs that wait for a score, with the command that brings it, and those that the scorer gave none. */
export function missingScores(
  { scorer, use, source, variants }: ScorerSummary,
  names: ReadonlySet<string>,
): readonly string[] {
  const named = variants.filter(({ variant }) => names.has(variant));
  const sum = (of: readonly number[]) => of.reduce((all, takes) => all + takes, 0);
  const waiting = sum(named.map((variant) => variant.waiting));
  const reasons = unscoredReasons(named);
  const unscored = sum(reasons.map(({ takes }) => takes));
  const [noun, kindWord] = use === 'judge' ? (['pair', 'judge'] as const) : (['output', 'scorer'] as const);
  const all = plural(waiting + unscored + sum(named.map((variant) => variant.scored)), noun);
  const shown = reasons
    .slice(0, MOST_REASONS)
    .map(({ words, takes }) => (reasons.length === 1 ? words : `${words} (${count(takes)})`));
  const more = reasons.length - shown.length;
  return [
    ...(unscored > 0
      ? [
          `The ${kindWord} ${scorer} gave no ${use === 'judge' ? 'answer on' : 'score to'} ${count(unscored)} of ${all}: ${[...shown, ...(more > 0 ? [plural(more, 'more reason')] : [])].join(', ')}`,
        ]
      : []),
    ...(waiting > 0 && use === 'file' && source !== null
      ? [`The file of ${scorer} has no value for ${count(waiting)} of ${all}`]
      : []),
    ...(waiting > 0 && (use !== 'file' || source === null)
      ? [
          `The ${kindWord} ${scorer} has not ${use === 'judge' ? 'compared' : 'scored'} ${count(waiting)} of ${all} yet; to ${use === 'judge' ? 'ask it' : `score ${waiting === 1 ? 'it' : 'them'}`}: ${scoreCommand(use)}`,
        ]
      : []),
  ];
}

const MOST_REASONS = 2;

/** In words, the most frequent first. */
function unscoredReasons(
  variants: ScorerSummary['variants'],
): readonly { readonly words: string; readonly takes: number }[] {
  const all = variants.flatMap(({ unscored }) =>
    unscored.map(({ why, takes }) => ({ words: unscoredWords(why), takes })),
  );
  return [...groupBy(all, ({ words }) => words)]
    .map(([words, own]) => ({ words, takes: own.reduce((sum, { takes }) => sum + takes, 0) }))
    .toSorted((a, b) => b.takes - a.takes);
}

/** What gives outputs their scores. A program of the user is only started by leave. */
export function scoreCommand(use: ScorerSummary['use']): string {
  if (use === 'judge') return 'retake score RUN';
  return `retake score RUN ${use === 'file' ? '--from FILE' : '--allow-commands'}`;
}
