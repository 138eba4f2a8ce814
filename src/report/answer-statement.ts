import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { groupBy } from '../kit/grouping.ts';
import { count, listed, listedInShort, plural, rateUnit } from '../kit/wording.ts';
import {
  doubtOf,
  headlineComparisons,
  isCompared,
  pairsWords,
  speedHeadline,
  tellsApart,
} from './comparison-statement.ts';
import type { Tone } from './gate-words.ts';
import { latencyDoubt, latencyDoubts } from './latency-statement.ts';
import { likenessClause, likenessTo, likenessToBaseline } from './likeness-statement.ts';
import { sweepSteps } from './load-words.ts';
import { orderedVariants } from './result-columns.ts';
import { sameOutputs } from './sameness-statement.ts';
import { latencyStatement, latencyUnits, measuresOf, throughputRange, throughputStatement } from './statement.ts';
import { headlinesOf } from './statements/headline-statement.ts';

/** What came out of a variant, in a sentence of a few words: intervals and evidence stand elsewhere. */
export interface VariantAnswer {
  readonly sentence: string;
  /** `void` where nobody may rely on its speed or latency: the sentence says why. */
  readonly tone: 'void' | null;
  /** Picked out of many variants. */
  readonly leads: boolean;
}

type AnswerSource = Pick<Analysis, 'variants' | 'measures' | 'run' | 'cells' | 'failures' | 'likeness' | 'warnings'>;

/** Speed and its cost of each variant, else latency or throughput. Holds hostile text: names of variants. */
export function answersOf(
  analysis: AnswerSource,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
): readonly VariantAnswer[] {
  const { load } = analysis.run.plan;
  const steps = sweepSteps(load);
  const ordered = orderedVariants(variants, { analysis, comparisons });
  const told = new Map(
    headlinesOf(
      ordered.map(({ variant }) => variant),
      { analysis, comparisons },
    ).map((each) => [each.variant, each]),
  );
  const likenessOf = (variant: VariantSummary): readonly string[] => {
    // Where nothing was compared, the words that say why stand beside the variant's numbers.
    const isKnown = (likenessToBaseline(variant, analysis)?.compared ?? 0) > 0;
    return isKnown ? [told.get(variant.name)?.likeness ?? []].flat() : [];
  };
  const alone = (words: (variant: VariantSummary) => string) =>
    variants.map((variant): VariantAnswer => {
      const doubt = latencyDoubt(variant.name, analysis);
      const sentence = `${[words(variant), ...doubt, ...likenessOf(variant)].join('; ')}.`;
      return { sentence, tone: doubt.length > 0 ? 'void' : null, leads: false };
    });
  if (steps !== null) return alone(({ name }) => sweepWords(name, steps, analysis));
  const headlines = headlineComparisons(comparisons, load).filter(({ variant }) =>
    variants.some(({ name }) => name === variant),
  );
  if (!headlines.some(isCompared)) return alone((variant) => latencyWords(variant, analysis));
  const baselines = variants.filter(({ baseline }) => baseline).map((variant) => ({ variant, lead: null }));
  return [...baselines, ...ordered].flatMap(({ variant, lead }): VariantAnswer[] => {
    const { name } = variant;
    const stored = headlines.filter((headline) => headline.variant === name && headline.baselineRun !== null);
    if (!headlines.some((headline) => headline.variant === name)) return [];
    const nothing = (variant.outcomes.ok ?? 0) === 0;
    const clauses = [told.get(name)?.speed ?? [], ...likenessOf(variant)].flat();
    const words = nothing ? `${name} delivered nothing` : clauses.join('; ');
    // What nobody may rely on leads nothing.
    const isDoubted = headlines.some((headline) => headline.variant === name && doubtOf(headline) !== null);
    return [
      ...(words === '' ? [] : [`${lead === null || isDoubted ? '' : `${LEADS[lead]}: `}${words}.`]),
      ...stored.flatMap((each) => storedSentence(each, variant, analysis) ?? []),
    ].map((sentence) => ({ sentence, tone: isDoubted ? 'void' : null, leads: lead !== null }));
  });
}

const LEADS = { most_similar: 'Fast and similar', fastest: 'Among the fastest' } as const;

/** `fast and its stored baseline are not told apart in speed; 12 of 12 images stay visually similar.` */
function storedSentence(comparison: Comparison, variant: VariantSummary, analysis: AnswerSource): string | null {
  const speed = speedHeadline(comparison);
  const likeness = likenessTo(comparison.baseline, variant, analysis);
  const clauses = [speed ?? [], likeness === null || likeness.compared === 0 ? [] : likenessClause(likeness)].flat();
  return clauses.length === 0 ? null : `${clauses.join('; ')}.`;
}

/** `standard takes 435 ms`, under open load `standard answers 435 ms after a call is due; 12 calls were dropped`. */
function latencyWords({ name, outcomes }: VariantSummary, analysis: AnswerSource): string {
  const { load } = analysis.run.plan;
  const median = measuresOf(analysis)(name, headlineLatency(load), 'p50');
  const { value } = latencyStatement(median, latencyUnits(analysis)(name));
  if (value === null) return `${name} delivered nothing`;
  const dropped = outcomes.dropped ?? 0;
  return [
    `${name} ${load.mode === 'open' ? `answers ${value} after a call is due` : `takes ${value}`}`,
    ...(dropped > 0 ? [`${plural(dropped, 'call')} ${dropped === 1 ? 'was' : 'were'} dropped`] : []),
  ].join('; ');
}

/** `standard gains up to concurrency 4: 3.90 / s`; without a knee, at the lowest and highest concurrency. */
function sweepWords(variant: string, steps: readonly number[], analysis: AnswerSource): string {
  const measures = measuresOf(analysis);
  const ranges = steps.map((step) => throughputRange(measures, variant, step));
  const per = rateUnit(ranges.map(({ value, high }) => value ?? high));
  const at = (step: number): string | null => throughputStatement(measures, variant, step, per).value;
  const knee = measures(variant, 'knee', 'concurrency')?.value ?? null;
  const atKnee = knee === null ? null : at(knee);
  if (knee !== null && atKnee !== null) return `${variant} gains up to concurrency ${count(knee)}: ${atKnee}`;
  const ends = [...new Set([...steps.slice(0, 1), ...steps.slice(-1)])];
  const said = (words: (step: number) => string | null): readonly string[] =>
    ends
      .flatMap((step) => words(step) ?? [])
      .map((value, which) => `${value} at concurrency ${count(ends[which] ?? 0)}`);
  const rates = said(at);
  if (rates.length === ends.length) return `${variant} delivers ${rates.join(', ')}`;
  const unit = latencyUnits(analysis)(variant);
  const waits = said((step) => latencyStatement(measures(variant, 'latency.total', 'p50', step), unit).value);
  return waits.length === ends.length ? `${variant} takes ${waits.join(', ')}` : `${variant} delivered too little`;
}

/** Answers to a question in a line; `tone` where they are bad or need care. */
export interface ShortAnswer {
  readonly words: string;
  readonly tone: Tone;
}

/** Whether the speeds hold, by the pairs of images that show them. */
export function isItSure(
  analysis: AnswerSource,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
): ShortAnswer {
  const names = new Set(variants.map(({ name }) => name));
  const { load } = analysis.run.plan;
  const all = headlineComparisons(comparisons, load).filter((each) => names.has(each.variant));
  if (!all.some(isCompared) || sweepSteps(load) !== null) return medianIsSure(analysis, variants);
  const doubts = all.flatMap((each) => [doubtOf(each) ?? []].flat().map((doubt) => [each.variant, doubt] as const));
  const usable = all.filter((each) => doubtOf(each) === null);
  const sure = usable.filter(tellsApart);
  if (sure.length > 0)
    return { words: `${sure.length === all.length ? 'Yes' : 'In part'}: ${sureWords(sure, all.length)}`, tone: null };
  if (doubts.length > 0) return notSure('No', doubts, all.length);
  return usable.some(({ finding }) => finding === 'too_few')
    ? { words: 'Not yet: too few takes to tell', tone: 'warn' }
    : { words: 'No difference was found; the intervals show how large one could be', tone: null };
}

/** `No: this machine could not keep up`; of some, `Not all: ... (fast)`. @param doubted variant and doubt */
function notSure(ofSome: string, doubted: readonly (readonly [string, string])[], ofAll: number): ShortAnswer {
  const isAll = doubted.length === ofAll;
  const reasons = [...groupBy(doubted, ([, doubt]) => doubt)].map(
    ([doubt, own]) => `${doubt}${isAll ? '' : ` (${listedInShort(own.map(([variant]) => variant))})`}`,
  );
  return { words: `${isAll ? 'No' : ofSome}: ${listed(reasons)}`, tone: isAll ? 'bad' : 'warn' };
}

/** `faster in 12 of 12 pairs`, `fast: faster in 12 of 12 pairs`. @param ofAll comparisons */
function sureWords(sure: readonly Comparison[], ofAll: number): string {
  const isAll = sure.length === ofAll;
  const [first, ...others] = new Set(sure.map(pairsWords));
  const alike = first !== undefined && others.length === 0 ? first : null;
  if (alike !== null && isAll) return `${ofAll > MOST_NAMED ? `all ${count(ofAll)} ` : ''}${alike}`;
  if (sure.length > MOST_NAMED)
    return `${count(sure.length)} of ${plural(ofAll, 'variant')} differ in speed from the baseline`;
  return alike === null
    ? sure.map((each) => `${each.variant} ${pairsWords(each)}`).join(', ')
    : `${listed(sure.map(({ variant }) => variant))} ${alike}`;
}

const MOST_NAMED = 3;

function medianIsSure(analysis: AnswerSource, variants: readonly VariantSummary[]): ShortAnswer {
  const { load } = analysis.run.plan;
  const delivered = variants.filter(({ outcomes }) => (outcomes.ok ?? 0) > 0);
  const [first] = delivered;
  if (first === undefined) return { words: 'Nothing was measured', tone: 'bad' };
  const doubts = [...latencyDoubts(analysis)].filter(([variant]) => delivered.some(({ name }) => name === variant));
  if (doubts.length > 0) return notSure('Not all', doubts, delivered.length);
  if (sweepSteps(load) !== null) return { words: 'Intervals of 95 % stand beside each number', tone: null };
  const median = measuresOf(analysis)(first.name, headlineLatency(load), 'p50');
  const { interval, n } = latencyStatement(median, latencyUnits(analysis)(first.name));
  if (interval === null) return { words: `${plural(n, 'call')}: too few for an interval`, tone: 'warn' };
  return { words: `${first.name} takes ${interval} (95 %), from ${plural(n, 'call')}`, tone: null };
}

/** Whether the same prompt and seed gave the same output again. */
export function isItTheSame(analysis: AnswerSource, variants: readonly VariantSummary[]): ShortAnswer {
  const measures = measuresOf(analysis);
  const all = variants.map((variant) => ({ variant: variant.name, ...sameOutputs(variant, analysis.cells, measures) }));
  const tested = all.filter(({ value }) => value !== null);
  if (tested.length === 0) {
    const isCached = all.some(({ shortBound }) => shortBound === 'cached');
    return {
      words: isCached ? 'Not known: repeats come from a cache' : 'Not asked: nothing was sent twice',
      tone: null,
    };
  }
  const testable = tested.reduce((sum, each) => sum + each.testable, 0);
  const differing = tested.filter(({ same, testable: of }) => same < of);
  if (differing.length === 0) {
    const how = tested.every(({ level }) => level === 'byte')
      ? 'the same bytes'
      : tested.every(({ level }) => level === 'byte' || level === 'pixel')
        ? 'the same pixels'
        : 'the same to the eye';
    return { words: `Yes: ${how} in ${count(testable)} of ${count(testable)}`, tone: 'good' };
  }
  const worst = differing
    .toSorted((a, b) => a.same / a.testable - b.same / b.testable)
    .slice(0, 2)
    .map(({ variant, same, testable: of }) => `${variant} differs in ${count(of - same)} of ${count(of)}`);
  const more = differing.length - worst.length;
  return { words: `No: ${worst.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`, tone: 'warn' };
}
