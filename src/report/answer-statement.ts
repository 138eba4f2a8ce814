import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import { indistinctGroups } from '../analysis/medians.ts';
import { NOT_KEPT_UP } from '../analysis/note.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { voidVariants, type Warning, warningsIn, warningWords } from '../analysis/warnings.ts';
import { groupBy } from '../kit/grouping.ts';
import { count, type DurationUnit, duration, listed, listedInShort, plural, rateUnit } from '../kit/wording.ts';
import { HELD_LEVELS } from '../media/level.ts';
import { isTwin } from '../record/output-pairs.ts';
import {
  besideSpeed,
  doubtOf,
  headlineComparisons,
  isCompared,
  pairsWords,
  speedHeadline,
  tellsApart,
  tooFewWords,
} from './comparison-statement.ts';
import { likenessClause, likenessTo, likenessToBaseline } from './likeness-statement.ts';
import { type ComparedAnalysis, orderedVariants } from './result-columns.ts';
import { ratesWords, sweepSteps } from './run-statement.ts';
import { equalWords, sameOutputs } from './sameness-statement.ts';
import {
  latencyStatement,
  latencyUnits,
  type Measures,
  measuresOf,
  throughputRange,
  throughputStatement,
} from './statement.ts';
import type { Tone } from './verdict-statement.ts';

/** What came out of a variant, in a sentence of a few words: intervals and evidence stand elsewhere. */
interface VariantAnswer {
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
  const headlineOf = new Map(
    headlinesOf(
      ordered.map(({ variant }) => variant),
      { analysis, comparisons },
    ).map((headline) => [headline.variant, headline]),
  );
  const likenessOf = (variant: VariantSummary): readonly string[] => {
    // Where nothing was compared, the words that say why stand beside the variant's numbers.
    const isKnown = (likenessToBaseline(variant, analysis)?.compared ?? 0) > 0;
    return isKnown ? [headlineOf.get(variant.name)?.likeness ?? []].flat() : [];
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
  if (!headlines.some(isCompared)) return alone((variant) => latencyWords(variant, analysis, variants.length === 1));
  const baselines = variants.filter(({ baseline }) => baseline).map((variant) => ({ variant, lead: null }));
  return [...baselines, ...ordered].flatMap(({ variant, lead }): VariantAnswer[] => {
    const { name } = variant;
    const stored = headlines.filter((headline) => headline.variant === name && headline.baselineRun !== null);
    if (!headlines.some((headline) => headline.variant === name)) return [];
    const nothing = (variant.outcomes.ok ?? 0) === 0;
    const clauses = [headlineOf.get(name)?.speed ?? [], ...likenessOf(variant)].flat();
    const words = nothing ? `${name} delivered nothing` : clauses.join('; ');
    // What nobody may rely on leads nothing.
    const isDoubted = headlines.some((headline) => headline.variant === name && doubtOf(headline) !== null);
    return [
      ...(words === '' ? [] : [`${lead === null || isDoubted ? '' : `${LEADS[lead]}: `}${words}.`]),
      ...stored.flatMap((comparison) => storedSentence(comparison, variant, analysis) ?? []),
    ].map((sentence) => ({ sentence, tone: isDoubted ? 'void' : null, leads: lead !== null }));
  });
}

const LEADS = { most_similar: 'Fast and similar', fastest: 'Among the fastest' } as const;

/** `fast (new) and fast (in use): no difference found in speed; 12 of 12 images stay visually similar.` */
function storedSentence(comparison: Comparison, variant: VariantSummary, analysis: AnswerSource): string | null {
  const speed = speedHeadline(comparison);
  const likeness = likenessTo(comparison.baseline, variant, analysis);
  const clauses = [speed ?? [], likeness === null || likeness.compared === 0 ? [] : likenessClause(likeness)].flat();
  return clauses.length === 0 ? null : `${clauses.join('; ')}.`;
}

/** `standard takes 435 ms`, under open load `standard, sent alone at 2 / s: 435 ms after a take is due, not compared`. */
function latencyWords({ name, outcomes }: VariantSummary, analysis: AnswerSource, isOne: boolean): string {
  const { load } = analysis.run.plan;
  const median = measuresOf(analysis)(name, headlineLatency(load), 'p50');
  const { value } = latencyStatement(median, latencyUnits(analysis)(name));
  if (value === null) return `${name} delivered nothing`;
  const dropped = outcomes.dropped ?? 0;
  const [at, compared] = isOne ? [' at', ''] : [', sent alone at', ', not compared'];
  return [
    load.mode === 'open'
      ? `${name}${at} ${ratesWords(load)}: ${value} after a take is due${compared}`
      : `${name} takes ${value}`,
    ...(dropped > 0 ? [`${plural(dropped, 'take')} ${dropped === 1 ? 'was' : 'were'} dropped`] : []),
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
  const atEnds = (words: (step: number) => string | null): readonly string[] =>
    ends
      .flatMap((step) => words(step) ?? [])
      .map((value, which) => `${value} at concurrency ${count(ends[which] ?? 0)}`);
  const rates = atEnds(at);
  if (rates.length === ends.length) return `${variant} delivers ${rates.join(', ')}`;
  const unit = latencyUnits(analysis)(variant);
  const waits = atEnds((step) => latencyStatement(measures(variant, 'latency.total', 'p50', step), unit).value);
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
  const all = headlineComparisons(comparisons, load).filter((comparison) => names.has(comparison.variant));
  const ofMachine = latencyDoubts(analysis);
  const isVoidSweep = sweepSteps(load) !== null && ofMachine.size > 0;
  if (!all.some(isCompared) || isVoidSweep) return medianIsSure(analysis, variants);
  const doubts = all.flatMap((comparison) => {
    const { variant, baseline } = comparison;
    const doubt = doubtOf(comparison) ?? ofMachine.get(variant) ?? ofMachine.get(baseline) ?? null;
    return doubt === null ? [] : [[variant, doubt] as const];
  });
  const sure = all.filter((comparison) => doubtOf(comparison) === null && tellsApart(comparison));
  if (sure.length > 0)
    return { words: `${sure.length === all.length ? 'Yes' : 'In part'}: ${sureWords(sure, all.length)}`, tone: null };
  const few = all.filter(({ finding }) => finding === 'too_few').map((comparison) => tooFewWords(comparison));
  if (doubts.length > 0) return notSure('No', doubts, all.length, few.slice(0, 1));
  return few[0] !== undefined
    ? { words: `Not yet: ${few[0]}`, tone: 'warn' }
    : { words: 'No difference was found; the intervals show how large one could be', tone: null };
}

/** `No: this machine could not keep up`; of some, `Not all: ... (fast)`. @param doubted variant and doubt */
function notSure(
  ofSome: string,
  doubted: readonly (readonly [string, string])[],
  ofAll: number,
  also: readonly string[] = [],
): ShortAnswer {
  const isAll = doubted.length === ofAll;
  const reasons = [...groupBy(doubted, ([, doubt]) => doubt)].map(
    ([doubt, alike]) => `${doubt}${isAll ? '' : ` (${listedInShort(alike.map(([variant]) => variant))})`}`,
  );
  return { words: `${isAll ? 'No' : ofSome}: ${[listed(reasons), ...also].join('; ')}`, tone: isAll ? 'bad' : 'warn' };
}

/** `faster in 12 of 12 pairs`, `fast: faster in 12 of 12 pairs`. @param ofAll comparisons */
function sureWords(sure: readonly Comparison[], ofAll: number): string {
  const isAll = sure.length === ofAll;
  const [first, ...others] = new Set(sure.map(pairsWords));
  const alike = first !== undefined && others.length === 0 ? first : null;
  if (alike !== null && isAll) return `${ofAll > MOST_NAMED ? `all ${count(ofAll)} ` : ''}${alike}`;
  if (sure.length > MOST_NAMED)
    return `${count(sure.length)} of ${plural(ofAll, 'variant')} differ in speed from the baseline variant`;
  return alike === null
    ? sure.map((comparison) => `${comparison.variant} ${pairsWords(comparison)}`).join(', ')
    : `${listed([...new Set(sure.map(({ variant }) => variant))])} ${alike}`;
}

const MOST_NAMED = 3;

function medianIsSure(analysis: AnswerSource, variants: readonly VariantSummary[]): ShortAnswer {
  const { load } = analysis.run.plan;
  const delivered = variants.filter(({ outcomes }) => (outcomes.ok ?? 0) > 0);
  const [first] = delivered;
  if (first === undefined) return { words: 'Nothing was measured', tone: 'bad' };
  const doubts = [...latencyDoubts(analysis)].filter(([variant]) => delivered.some(({ name }) => name === variant));
  if (doubts.length > 0) return notSure('Not all', doubts, delivered.length);
  const isApart = load.mode === 'open' && delivered.length > 1;
  if (isApart) return { words: 'Not compared: variants were sent one after the other', tone: 'warn' };
  const median = measuresOf(analysis)(first.name, headlineLatency(load), 'p50');
  const { interval, n } = latencyStatement(median, latencyUnits(analysis)(first.name));
  if (interval === null) return { words: `${plural(n, 'take')}: too few for an interval`, tone: 'warn' };
  return { words: `${first.name} takes ${interval} (95 %), from ${plural(n, 'take')}`, tone: null };
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
  const testable = tested.reduce((sum, outputs) => sum + outputs.testable, 0);
  const differing = tested.filter(({ same, testable: of }) => same < of);
  if (differing.length === 0) {
    const level = HELD_LEVELS.findLast((held) => tested.some((outputs) => outputs.level === held)) ?? 'byte';
    return { words: `Yes: ${equalWords({ level, same: testable, testable })}`, tone: 'good' };
  }
  const worst = differing
    .toSorted((a, b) => a.same / a.testable - b.same / b.testable)
    .slice(0, 2)
    .map((outputs) => `${outputs.variant} ${equalWords(outputs)}`);
  const more = differing.length - worst.length;
  return { words: `No: ${worst.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`, tone: 'warn' };
}

/** What the speed of a variant costs, in one sentence. */
interface Headline {
  readonly variant: string;
  /** `fast is 2.1x as fast as standard`; null where it is compared with nothing. */
  readonly speed: string | null;
  /** `12 of 12 images stay visually similar`; null where it is compared with nothing. */
  readonly likeness: string | null;
  /** With its full stop: `fast is 2.1x as fast; 12 of 12 images stay visually similar.` */
  readonly sentence: string;
}

/**
 * For each variant that is compared with the baseline variant of its kind, in the order of the suite. A sweep has a
 * speed at each step, which its table shows. Holds hostile text: names of variants.
 */
export function headlinesOf(
  variants: readonly VariantSummary[],
  { analysis, comparisons }: ComparedAnalysis,
): readonly Headline[] {
  const { load } = analysis.run.plan;
  const speeds = headlineComparisons(comparisons, load).filter(
    ({ baselineRun, step }) => baselineRun === null && step === null,
  );
  return variants.flatMap((variant): Headline[] => {
    if (isTwin(variant)) return [];
    const comparison = speeds.find((speed) => speed.variant === variant.name);
    const tally = likenessToBaseline(variant, analysis);
    const speed = comparison === undefined || sweepSteps(load) !== null ? null : speedHeadline(comparison);
    const likeness = tally === null ? null : likenessClause(tally);
    if (speed === null && likeness === null) return [];
    const beside = sweepSteps(load) === null ? besideSpeed(comparisons, variant.name) : [];
    const clauses = [...beside, likeness ?? []].flat();
    const sentence = speed === null ? `${variant.name}: ${clauses.join('; ')}.` : `${[speed, ...clauses].join('; ')}.`;
    return [{ variant: variant.name, speed, likeness, sentence }];
  });
}

function latencyDoubts({ warnings }: Pick<Analysis, 'warnings'>): ReadonlyMap<string, string> {
  const grown = warnings.flatMap((warning) => (warning.code === 'queue_grows' ? [warning.variant] : []));
  return new Map([
    ...grown.map((name) => [name, QUEUE_GREW] as const),
    ...[...voidVariants(warnings)].map((name) => [name, NOT_KEPT_UP] as const),
  ]);
}

/** `do not rely on the numbers: variants gave the same bytes`, each reason once and short; null without one. */
export function voidWords(warnings: readonly Warning[], comparisons: readonly Comparison[] = []): string | null {
  const found = warnings.flatMap(({ code, unfit }) => (unfit === undefined ? [] : (VOID_WORDS[code] ?? [])));
  const reasons = new Set([...found, ...comparisons.flatMap((comparison) => doubtOf(comparison) ?? [])]);
  return reasons.size === 0 ? null : `do not rely on the numbers: ${listed([...reasons])}`;
}

/** For a list of runs, of the text of a verdict.json: `voidWords`, and the first warning of all; null without one. */
export function alarmsIn(verdict: string): { readonly bad: string | null; readonly warn: string } | null {
  const warnings = warningsIn(verdict);
  const [first] = warnings;
  if (first === undefined) return null;
  return { bad: voidWords(warnings), warn: `${plural(warnings.length, 'warning')}: ${warningWords(first).what}` };
}

const QUEUE_GREW = 'the queue grew through the load';

const VOID_WORDS: Partial<Readonly<Record<Warning['code'], string>>> = {
  queue_grows: QUEUE_GREW,
  too_many_late_stamps: NOT_KEPT_UP,
  equal_variants: 'variants gave the same bytes',
  other_model_answered: 'another model answered',
  seed_ignored: 'the seed is ignored',
  same_for_all_seeds: 'all seeds gave the same bytes',
};

/** `do not rely on it: this machine could not keep up`; nothing where nothing speaks against it. */
export function latencyDoubt(variant: string, analysis: Pick<Analysis, 'warnings'>): readonly string[] {
  const doubt = latencyDoubts(analysis).get(variant);
  return doubt === undefined ? [] : [`do not rely on it: ${doubt}`];
}

/** For variants compared with nothing, and each of a sweep; without a full stop. Nothing where none was delivered. */
export function latencySentences(
  analysis: Pick<Analysis, 'variants' | 'measures' | 'run' | 'warnings'>,
  headlines: readonly Comparison[],
): readonly string[] {
  const { variants, run } = analysis;
  const measures = measuresOf(analysis);
  const unitOf = latencyUnits(analysis);
  const steps = sweepSteps(run.plan.load);
  const compared = new Set(headlines.flatMap(({ variant, baseline }) => [variant, baseline]));
  const alone = steps === null ? variants.filter(({ name }) => !compared.has(name)) : variants;
  return alone.flatMap((variant) => {
    const sentence =
      steps === null
        ? medianSentence(variant, run.plan.load, measures, unitOf(variant.name))
        : sweepSentence(variant, steps, measures);
    return sentence === null ? [] : [[sentence, ...latencyDoubt(variant.name, analysis)].join('; ')];
  });
}

/** `standard takes 245 ms [238 – 253 ms], the median of 36 takes`; without an interval, the reason instead. */
function medianSentence(
  { name }: VariantSummary,
  load: Analysis['run']['plan']['load'],
  measures: Measures,
  unit: DurationUnit,
): string | null {
  const { value, interval, notes, n } = latencyStatement(measures(name, headlineLatency(load), 'p50'), unit);
  if (value === null) return null;
  const from = load.mode === 'open' ? ' from when a take is due' : '';
  const [why] = notes;
  const reason = interval === null && why !== undefined ? `; ${why}` : '';
  return `${name} takes ${value}${interval === null ? '' : ` [${interval}]`}${from}, the median of ${plural(n, 'take')}${reason}`;
}

/** `standard has a throughput of 1.20 / s [1.10 – 1.31 / s] at concurrency 1, ...; knee at concurrency 4`. */
function sweepSentence({ name }: VariantSummary, steps: readonly number[], measures: Measures): string | null {
  const ranges = steps.map((step) => throughputRange(measures, name, step));
  const per = rateUnit(ranges.map(({ value, high }) => value ?? high));
  const rates = steps.flatMap((step) => {
    const { value, interval } = throughputStatement(measures, name, step, per);
    return value === null ? [] : [`${value}${interval === null ? '' : ` [${interval}]`} at concurrency ${count(step)}`];
  });
  const [first, ...others] = rates;
  if (first === undefined) return null;
  const last = others.at(-1);
  const knee = measures(name, 'knee', 'concurrency')?.value ?? null;
  const ends = last === undefined ? first : `${first}, ${last}`;
  return `${name} has a throughput of ${ends}${knee === null ? '' : `; knee at concurrency ${count(knee)}`}`;
}

/** For variants that this machine may not tell apart. Holds hostile text: names of variants. */
export function indistinctVariants(
  analysis: Pick<Analysis, 'measures' | 'run'>,
  variants: readonly Pick<VariantSummary, 'name'>[],
): readonly string[] {
  const floor = duration(analysis.run.calibration?.floorMs ?? 0);
  return indistinctGroups(analysis, variants).map(
    ({ step, variants: group }) =>
      `The difference between ${step === null ? '' : `p50 at concurrency ${count(step)} of `}${listedInShort(group)} may come from this machine: ` +
      `their medians differ by less than its noise floor of ${floor}, and their intervals overlap.`,
  );
}
