import type { Analysis } from '../analysis/analysis.ts';
import type { Comparison } from '../analysis/comparison.ts';
import type { VariantSummary } from '../analysis/summaries.ts';
import { unfitLatencies } from '../analysis/warnings.ts';
import { listedInShort, plural } from '../kit/wording.ts';
import { isTwin } from '../record/compared-variants.ts';
import type { Load, OpenLoad } from '../suite/load.ts';
import { sweepSteps } from '../suite/sweep.ts';
import {
  besideSpeed,
  doubtOf,
  headlineComparisons,
  isCompared,
  isQuiet,
  NO_DIFFERENCE,
  NOT_TO_RELY_ON,
  speedHeadline,
  sweepHeadline,
} from './comparison-statement.ts';
import { holdClauses, undecidedClauses } from './hold-statement.ts';
import {
  editSentences,
  isUntellable,
  jointTally,
  likenessClause,
  likenessTo,
  likenessToBaseline,
} from './likeness-statement.ts';
import { ratesWords } from './run-statement.ts';
import { latencyUnits, measuresOf, medianSentence, medianWords, ownVariants, sweepWords } from './statement.ts';
import type { StoryLine } from './story-block.ts';
import { orderedVariants } from './variant-order.ts';

/** What came out of a variant, in a sentence of a few words: evidence stands elsewhere. */
export interface VariantAnswer extends StoryLine {
  /** Null where it is about several. */
  readonly variant: string | null;
  /** Picked out of many variants. */
  readonly leads: boolean;
}

export type AnswerSource = Pick<
  Analysis,
  'variants' | 'measures' | 'run' | 'cells' | 'failures' | 'likeness' | 'warnings'
>;

/** Speed and its cost of each variant, else latency or throughput. Holds hostile text: names of variants. */
export function answersOf(
  analysis: AnswerSource,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
): readonly VariantAnswer[] {
  const { load } = analysis.run.plan;
  const compared = headlineComparisons(comparisons, load).some(
    (each) => isCompared(each) && variants.some(({ name }) => name === each.variant),
  );
  if (sweepSteps(load) !== null) return sweepAnswers(analysis, comparisons, variants);
  if (compared) return comparedAnswers(analysis, comparisons, variants);
  return load.mode === 'open' ? openAnswers(load, analysis, variants) : aloneAnswers(analysis, variants);
}

function comparedAnswers(
  analysis: AnswerSource,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
): readonly VariantAnswer[] {
  const headlines = unequal(headlineComparisons(comparisons, analysis.run.plan.load), analysis);
  return orderedVariants(variants, { analysis, comparisons }).flatMap(({ variant, lead }): VariantAnswer[] => {
    const { name } = variant;
    const own = headlines.filter((headline) => headline.variant === name && headline.baselineRun === null);
    const [first] = own;
    if (isTwin(variant) || first === undefined) return [];
    if ((variant.outcomes.ok ?? 0) === 0) return [answer(name, [`${name} delivered nothing`])];
    // What nobody may rely on leads nothing.
    const isDoubted = doubtOf(first) !== null;
    const leads = lead !== null;
    const speed = speedHeadline(first);
    const [words, ...others] = [speed ?? [], besideSpeed(comparisons, name), likenessOf(variant, analysis)].flat();
    if (words === undefined) return [];
    const said = speed === null ? `${name}: ${words}` : words;
    const start = lead === null || isDoubted ? '' : `${LEADS[lead]}: `;
    return [{ ...answer(name, [start + said, ...others], isDoubted), leads }];
  });
}

const LEADS = { most_similar: 'Fast and similar', fastest: 'Among the fastest' } as const;

function likenessOf(variant: VariantSummary, analysis: AnswerSource): readonly string[] {
  const tally = isTwin(variant) ? null : likenessToBaseline(variant, analysis);
  // Why else nothing was compared stands beside the numbers.
  return tally !== null && (tally.compared > 0 || isUntellable(tally)) ? [likenessClause(tally)] : [];
}

function sweepAnswers(
  analysis: AnswerSource,
  comparisons: readonly Comparison[],
  variants: readonly VariantSummary[],
): readonly VariantAnswer[] {
  const steps = sweepSteps(analysis.run.plan.load) ?? [];
  if (analysis.run.hold !== undefined) {
    const isVoid = ({ name }: VariantSummary) => latencyDoubt(name, analysis) !== '';
    return variants.flatMap((variant) => {
      const [open, ...more] = undecidedClauses(variant.name, analysis);
      const held = answer(variant.name, holdClauses(variant.name, analysis), isVoid(variant));
      return [held, ...(open === undefined ? [] : [answer(variant.name, [`${variant.name}: ${open}`, ...more])])];
    });
  }
  const speeds = headlineComparisons(comparisons, analysis.run.plan.load).filter(
    ({ baselineRun, step }) => baselineRun === null && step !== null,
  );
  const told = orderedVariants(variants, { analysis, comparisons }).flatMap(({ variant }) => {
    const own = speeds.filter((speed) => speed.variant === variant.name);
    const speed = unequal(own, analysis).length === 0 ? null : sweepHeadline(own);
    const doubt = latencyDoubt(variant.name, analysis);
    return speed === null
      ? []
      : [answer(variant.name, [speed + doubt, ...likenessOf(variant, analysis)], doubt !== '')];
  });
  const numbers = (variant: VariantSummary) => {
    const doubt = told.length > 0 ? '' : latencyDoubt(variant.name, analysis);
    return answer(variant.name, [sweepWords(variant.name, steps, analysis) + doubt], doubt !== '');
  };
  return told.length === 0 ? variants.map(numbers) : told;
}

function openAnswers(
  load: OpenLoad,
  analysis: AnswerSource,
  variants: readonly VariantSummary[],
): readonly VariantAnswer[] {
  const isVoid = variants.some(({ name }) => latencyDoubt(name, analysis) !== '');
  const [first, ...rest] = variants;
  const said =
    first === undefined || rest.length > 0
      ? 'Speed is not compared: the variants were sent one after the other'
      : `${first.name} ${medianWords(first, analysis)}: median from the planned send time, at ${ratesWords(load)}`;
  const others = variants.flatMap((variant): VariantAnswer[] => {
    const {
      name,
      outcomes: { dropped = 0 },
    } = variant;
    const lost = dropped === 0 ? [] : [`${plural(dropped, 'take')} ${dropped === 1 ? 'was' : 'were'} dropped`];
    const [words, ...more] = [...lost, ...likenessOf(variant, analysis)];
    return words === undefined ? [] : [answer(name, [`${name}: ${words}`, ...more])];
  });
  return [answer(null, [said], isVoid), ...others];
}

/** Whether the first question of these variants of a kind is what they did to their input, not how fast they are. */
export function leadsWithEdits(variants: readonly VariantSummary[], load: Load): boolean {
  const [first, ...others] = ownVariants({ variants });
  return first?.kind === 'image-edit' && others.length === 0 && load.mode === 'closed' && sweepSteps(load) === null;
}

function aloneAnswers(analysis: AnswerSource, variants: readonly VariantSummary[]): readonly VariantAnswer[] {
  const { load } = analysis.run.plan;
  const edits = leadsWithEdits(variants, load) ? editSentences(analysis, variants) : [];
  const measures = measuresOf(analysis);
  const unitOf = latencyUnits(analysis);
  const medians = variants.map((variant) => {
    const { name } = variant;
    const doubt = latencyDoubt(name, analysis);
    const said = medianSentence(variant, load, measures, unitOf(name));
    if (said === null) return answer(name, [`${name} delivered nothing`]);
    return answer(name, [said + doubt, ...likenessOf(variant, analysis)], doubt !== '');
  });
  return [...(edits.length === 0 ? [] : [answer(null, [edits.join('. ')])]), ...medians];
}

function answer(variant: string | null, clauses: readonly string[], isVoid = false): VariantAnswer {
  return { variant, sentence: `${clauses.join('; ')}.`, tone: isVoid ? 'void' : null, leads: false };
}

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
      of.length === 1 ? (of[0]?.variant ?? null) : null,
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

/** Why nobody may rely on the latencies of a variant is said by a warning, once. */
function latencyDoubt(variant: string, analysis: Pick<Analysis, 'warnings'>): string {
  return unfitLatencies(analysis.warnings).has(variant) ? ` (${NOT_TO_RELY_ON})` : '';
}
