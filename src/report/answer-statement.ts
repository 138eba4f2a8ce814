import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import type { Warning } from '../analysis/warning.ts';
import { unfitLatencies } from '../analysis/warnings.ts';
import type { Tone } from '../gate/verdict-statement.ts';
import { groupBy } from '../kit/grouping.ts';
import { ratioInterval } from '../kit/value-words.ts';
import { count, listed, listedInShort, plural } from '../kit/wording.ts';
import { HELD_LEVELS } from '../media/level.ts';
import { isTwin } from '../record/compared-variants.ts';
import {
  besideSpeed,
  doubtOf,
  headlineComparisons,
  isCompared,
  isQuiet,
  NO_DIFFERENCE,
  notToRelyOn,
  pairsWords,
  speedHeadline,
  sweepHeadline,
  tellsApart,
  tooFewWords,
} from './comparison-statement.ts';
import { jointTally, likenessClause, likenessTo, likenessToBaseline } from './likeness-statement.ts';
import { ratesWords, sweepSteps } from './run-statement.ts';
import { equalWords, sameOutputs } from './sameness-statement.ts';
import { latencyStatement, latencyUnits, measuresOf, medianSentence, medianWords, sweepWords } from './statement.ts';
import type { StoryLine } from './story-block.ts';
import { type ComparedAnalysis, orderedVariants } from './variant-order.ts';

/** What came out of a variant, in a sentence of a few words: intervals and evidence stand elsewhere. */
interface VariantAnswer extends StoryLine {
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
  const measures = measuresOf(analysis);
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
  const alone = (
    said: (variant: VariantSummary) => readonly string[],
    who = (_: VariantSummary) => '',
    likeness = likenessOf,
  ) =>
    variants.flatMap((variant): VariantAnswer[] => {
      const doubt = latencyDoubt(variant.name, analysis);
      const clauses = [...said(variant), ...doubt, ...likeness(variant)];
      return clauses.length === 0 ? [] : [answer([who(variant) + clauses.join('; ')], doubt.length > 0)];
    });
  const all = headlineComparisons(comparisons, load).filter(({ variant }) =>
    variants.some(({ name }) => name === variant),
  );
  const headlines = unequal(all, analysis);
  if (steps !== null) {
    const told = ordered.flatMap(({ variant }) => {
      const speed = headlineOf.get(variant.name)?.speed ?? null;
      const doubt = latencyDoubt(variant.name, analysis);
      return speed === null ? [] : [answer([speed, ...doubt, ...likenessOf(variant)], doubt.length > 0)];
    });
    const numbers = ({ name }: VariantSummary) => [sweepWords(name, steps, analysis)];
    if (told.length === 0) return alone(numbers);
    // The figure shows what each concurrency costs; only a knee must be read off it.
    const knees = variants.filter(({ name }) => typeof measures(name, 'knee', 'concurrency')?.value === 'number');
    return [...told, ...knees.flatMap((variant) => numbers(variant).map((words) => answer([words])))];
  }
  if (!all.some(isCompared) && load.mode === 'open') {
    const isVoid = variants.some(({ name }) => latencyDoubt(name, analysis).length > 0);
    const others = ({ outcomes: { dropped = 0 } }: VariantSummary) =>
      dropped === 0 ? [] : [`${plural(dropped, 'take')} ${dropped === 1 ? 'was' : 'were'} dropped`];
    const [first, ...rest] = variants;
    const said =
      first === undefined || rest.length > 0
        ? 'Speed is not compared: the variants were sent one after the other'
        : `${first.name} ${medianWords(first, analysis)}: median from the planned send time, at ${ratesWords(load)}`;
    return [answer([said], isVoid), ...alone(others, ({ name }) => `${name}: `)];
  }
  if (!all.some(isCompared))
    return alone((variant) => {
      const median = medianWords(variant, analysis);
      return [(variant.outcomes.ok ?? 0) === 0 ? `${variant.name} ${median}` : `${variant.name} takes ${median}`];
    });
  return ordered.flatMap(({ variant, lead }): VariantAnswer[] => {
    const { name } = variant;
    if (!headlines.some((headline) => headline.variant === name)) return [];
    const nothing = (variant.outcomes.ok ?? 0) === 0;
    const clauses = [headlineOf.get(name)?.speed ?? [], ...likenessOf(variant)].flat();
    if (nothing) return [answer([`${name} delivered nothing`])];
    // What nobody may rely on leads nothing.
    const isDoubted = headlines.some((headline) => headline.variant === name && doubtOf(headline) !== null);
    const words = `${lead === null || isDoubted ? '' : `${LEADS[lead]}: `}${clauses.join('; ')}`;
    return words === '' ? [] : [{ ...answer([words], isDoubted), leads: lead !== null }];
  });
}

function answer(clauses: readonly string[], isVoid = false): VariantAnswer {
  return { sentence: `${clauses.join('; ')}.`, tone: isVoid ? 'void' : null, leads: false };
}

const LEADS = { most_similar: 'Fast and similar', fastest: 'Among the fastest' } as const;

/**
 * What changed against what is in use, those told apart first; the others in one sentence: `New against in use: no
 * difference found in speed; 18 of 18 images stay visually similar.`
 */
export function storedAnswers(
  analysis: AnswerSource,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
): readonly VariantAnswer[] {
  const names = new Set(variants.map(({ name }) => name));
  const all = headlineComparisons(comparisons, analysis.run.plan.load).filter(
    (each) => each.baselineRun !== null && names.has(each.variant) && isCompared(each),
  );
  const quiet = all.filter((comparison) => isQuiet(comparison) && doubtOf(comparison) === null);
  const sentenceOf = (of: readonly Comparison[], speed: string | null) => {
    const tallies = of.flatMap(({ variant, baseline }) => likenessTo(baseline, { name: variant }, analysis) ?? []);
    const likeness = jointTally(tallies.filter(({ compared }) => compared > 0));
    return answer(
      [speed ?? [], likeness === null ? [] : likenessClause(likeness)].flat(),
      of.some((each) => doubtOf(each) !== null),
    );
  };
  const who = quiet.length === all.length ? 'New' : `${listedInShort(quiet.map(({ variant }) => variant))}: new`;
  return [
    ...all.filter((each) => !quiet.includes(each)).map((each) => sentenceOf([each], speedHeadline(each))),
    ...(quiet.length === 0 ? [] : [sentenceOf(quiet, `${who} against in use: ${NO_DIFFERENCE} in speed`)]),
  ];
}

/** Without variants that gave the same files as what they are compared with, unless their speed is told apart. */
export function unequal(
  comparisons: readonly Comparison[],
  { warnings }: Pick<Analysis, 'warnings'>,
): readonly Comparison[] {
  const groups = warnings.flatMap((warning) => (warning.code === 'equal_variants' ? [warning.variants] : []));
  return comparisons.filter(
    ({ variant, baseline, finding }) =>
      finding !== 'undecided' || !groups.some((group) => group.includes(variant) && group.includes(baseline)),
  );
}

/** Answers to a question in a line; `tone` where they are bad or need care. */
export interface ShortAnswer {
  readonly words: string;
  readonly tone: Tone;
}

/** Whether the speeds hold, by the pairs of images that show them: with a stored baseline those against it alone. */
export function isItSure(
  analysis: AnswerSource,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
): ShortAnswer {
  const names = new Set(variants.map(({ name }) => name));
  const { load } = analysis.run.plan;
  const all = headlineComparisons(comparisons, load).filter(({ variant }) => names.has(variant));
  const isVoidSweep = sweepSteps(load) !== null && unfitLatencies(analysis.warnings).size > 0;
  if (!all.some(isCompared) || isVoidSweep) return medianIsSure(analysis, variants);
  const stored = all.filter(({ baselineRun }) => baselineRun !== null);
  return areSure(stored.length > 0 ? stored : all, analysis);
}

/** @param all at least one */
function areSure(all: readonly Comparison[], analysis: AnswerSource): ShortAnswer {
  const doubts = all.flatMap((comparison) => {
    const doubt = doubtOf(comparison);
    return doubt === null ? [] : [[comparison.variant, doubt] as const];
  });
  const sure = all.filter((comparison) => doubtOf(comparison) === null && tellsApart(comparison));
  if (sure.length > 0) {
    const yes = sure.length < all.length ? 'In part' : all.length === 2 ? 'Yes, both' : 'Yes';
    return { words: `${yes}: ${sureWords(sure, all.length)}`, tone: null };
  }
  const [few, ...others] = all.filter(({ finding }) => finding === 'too_few');
  const needs = few === undefined ? [] : [tooFewWords([few, ...others])];
  if (doubts.length > 0) return notSure('No', doubts, all.length, needs);
  if (needs.length > 0) return { words: `Not yet: ${needs.join()}`, tone: 'warn' };
  if (unequal(all, analysis).length === 0) return { words: 'Nothing to compare: the files are the same', tone: null };
  return { words: `No difference was found; ${widestWords(all)}`, tone: null };
}

/** `each could be [0.94, 1.06] as fast`: from the lowest to the highest end of all intervals. */
function widestWords(all: readonly Comparison[]): string {
  const low = Math.min(...all.map(({ ciHigh }) => 1 / (ciHigh ?? Infinity)));
  const high = Math.max(...all.map(({ ciLow }) => 1 / (ciLow ?? 0)));
  const interval = ratioInterval(low === 0 ? null : low, high === Infinity ? null : high);
  return `${all.length === 1 ? 'it' : 'each'} could be ${interval} as fast`;
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
  const doubts = [...unfitLatencies(analysis.warnings)].filter(([variant]) =>
    delivered.some(({ name }) => name === variant),
  );
  if (doubts.length > 0) return notSure('Not all', doubts, delivered.length);
  const isApart = load.mode === 'open' && delivered.length > 1;
  if (isApart) return { words: 'Not compared', tone: 'warn' };
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
    const untested = all.reduce((sum, { tooFew }) => sum + tooFew, 0);
    const others = untested === 0 ? '' : `, ${count(untested)} not tested`;
    return { words: `Yes: ${equalWords({ level, same: testable, testable })}${others}`, tone: 'good' };
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
 * For each variant that is compared with the baseline variant of its kind, in the order of the suite. Holds hostile text: names of variants.
 */
export function headlinesOf(
  variants: readonly VariantSummary[],
  { analysis, comparisons }: ComparedAnalysis,
): readonly Headline[] {
  const { load } = analysis.run.plan;
  const speeds = headlineComparisons(comparisons, load).filter(
    ({ baselineRun, step }) => baselineRun === null && (step === null) === (sweepSteps(load) === null),
  );
  return variants.flatMap((variant): Headline[] => {
    if (isTwin(variant)) return [];
    const own = speeds.filter((speed) => speed.variant === variant.name);
    const tally = likenessToBaseline(variant, analysis);
    const [first] = own;
    if (first !== undefined && unequal(own, analysis).length === 0) return [];
    const speed = sweepSteps(load) !== null ? sweepHeadline(own) : first === undefined ? null : speedHeadline(first);
    const likeness = tally === null ? null : likenessClause(tally);
    if (speed === null && likeness === null) return [];
    const beside = sweepSteps(load) === null ? besideSpeed(comparisons, variant.name) : [];
    const clauses = [...beside, likeness ?? []].flat();
    const sentence = speed === null ? `${variant.name}: ${clauses.join('; ')}.` : `${[speed, ...clauses].join('; ')}.`;
    return [{ variant: variant.name, speed, likeness, sentence }];
  });
}

/** `do not rely on the numbers: variants gave the same files`, each reason once and short; null without one. */
export function voidWords(
  warnings: readonly Pick<Warning, 'unfit'>[],
  comparisons: readonly Comparison[] = [],
): string | null {
  const found = warnings.flatMap(({ unfit }) => unfit?.because ?? []);
  const reasons = new Set([...found, ...comparisons.flatMap((comparison) => doubtOf(comparison) ?? [])]);
  return reasons.size === 0 ? null : `do not rely on the numbers: ${listed([...reasons])}`;
}

/** Of the latencies of a variant, in words. */
export function latencyDoubt(variant: string, analysis: Pick<Analysis, 'warnings'>): readonly string[] {
  return notToRelyOn(unfitLatencies(analysis.warnings).get(variant));
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
        : sweepWords(variant.name, steps, analysis);
    return sentence === null ? [] : [[sentence, ...latencyDoubt(variant.name, analysis)].join('; ')];
  });
}
