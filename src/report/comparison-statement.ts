import type { Comparison } from '../analysis/comparison.ts';
import { headlineLatency } from '../analysis/effective-sample.ts';
import { hasNote, NEW_AGAINST_IN_USE, noteWords, TOO_SMALL, UNIT_NOUNS } from '../analysis/note.ts';
import { fewestToTell, isOverAll, MOST_MISSING, missesTooMany, overallComparisons } from '../analysis/pair-units.ts';
import type { RunSummary } from '../analysis/summaries.ts';
import { groupBy } from '../kit/grouping.ts';
import {
  inverse,
  ratioInterval,
  roughSpeedWords,
  speedInterval,
  speedOf,
  speedWords,
  times,
  timesBeside,
} from '../kit/value-words.ts';
import { count, listedInShort, plural } from '../kit/wording.ts';
import type { Load } from '../suite/load.ts';
import { SCORE_PREFIX } from '../suite/score-label.ts';
import { stepsWords } from './run-statement.ts';

/** One comparison, or several without an estimate for the same reason and with the same baseline. */
export type ComparisonGroup = readonly [Comparison, ...Comparison[]];

/** The comparisons that share a sentence, in the order of the first of each; those without data come last. */
export function comparisonGroups(comparisons: readonly Comparison[]): readonly ComparisonGroup[] {
  const keyed = comparisons.map((comparison, at) => ({
    comparison,
    key: isCompared(comparison)
      ? String(at)
      : `${comparison.baselineRun ?? comparison.baseline}: ${whyNone(comparison)}`,
  }));
  // Variants of a sweep share a sentence only where it is true of the same steps.
  const stepsOf = groupBy(keyed, ({ comparison: { variant }, key }) => `${key}\n${variant}`);
  const groups = groupBy(keyed, ({ comparison: { variant }, key }) => {
    const steps = stepsOf.get(`${key}\n${variant}`) ?? [];
    return `${key}\n${steps.map(({ comparison: { step } }) => step).join()}`;
  });
  const shared = [...groups.values()].map(
    ([first, ...rest]) => [first.comparison, ...rest.map(({ comparison }) => comparison)] as const,
  );
  return [...shared.filter(([first]) => isCompared(first)), ...shared.filter(([first]) => !isCompared(first))];
}

/**
 * Without a full stop: "fast is 2.15x as fast as standard [2.05, 2.22], faster in 12 of 12 pairs" of a prompt and seed.
 * A ratio of latencies below 1 is inverted, so its number is above 1.
 */
export function groupSentence(group: ComparisonGroup): string {
  const [first] = group;
  if (comparedSpeed(first).speed === null && !isEstimate(first)) return withoutComparison(group);
  return speedSentence(first, false);
}

/** `fast and fast-lcm against standard: not compared, because no pair of takes has both values`. */
function withoutComparison(group: ComparisonGroup): string {
  const [first] = group;
  const variants = [...new Set(group.map(({ variant }) => variant))];
  const steps = [...new Set(group.flatMap(({ step }) => step ?? []))];
  const at = steps.length === 0 ? '' : ` at concurrency ${stepsWords(steps)}`;
  const against = first.baselineRun === null ? `against ${first.baseline}` : NEW_AGAINST_IN_USE;
  const who = variants.length === 1 ? sidesOf(first).join(' and ') : `${listedInShort(variants)} ${against}`;
  const doubt = group.length === 1 ? doubtClause(first) : '';
  return `${who}${at}: ${whyNone(first)}${doubt}`;
}

/** A sentence for each kind of unit that is too few. An incomplete run must be resumed first. */
export function moreUnits(
  comparisons: readonly Comparison[],
  { complete, shard, plan: { load } }: Pick<RunSummary, 'complete' | 'shard' | 'plan'>,
): readonly string[] {
  const needed = new Set(comparisons.flatMap(({ notes }) => notes.map(({ code }) => code)));
  const isOneRound =
    needed.has('needs_rounds') ||
    comparisons.some(({ units, notes }) => units === 'rounds' && hasNote(notes, 'sequential'));
  const remedies = [
    ...(needed.has('needs_blocks') ? ['More prompts, seeds or repeats give more pairs of takes'] : []),
    ...(needed.has('needs_cell_pairs') ? ['More prompts or seeds give more pairs'] : []),
    ...(isOneRound ? [moreRounds(load)] : []),
  ];
  if (!complete || remedies.length === 0) return [];
  return shard === null ? remedies : ['Merge the shards to compare all of the run: retake merge'];
}

/** Only paired order and sweeps send a variant in several slices. */
function moreRounds(load: Load): string {
  if (load.mode === 'open')
    return 'Open load measures one variant after the other: to compare latencies, use closed load in paired order';
  return load.order === 'paired' || load.steps !== null
    ? 'More prompts, seeds or repeats give more groups of pairs'
    : 'This order gives one group of pairs, whatever is sent: to compare latencies, set load.order to paired, or load.concurrency to 1';
}

/**
 * The speed of a variant that is compared with another.
 *
 * @param isBrief for a headline: two digits, without interval, pairs and step
 */
function speedSentence(comparison: Comparison, isBrief: boolean): string {
  const { value, step } = comparison;
  const [variant, baseline] = sidesOf(comparison);
  const at = isBrief || step === null ? '' : ` at concurrency ${count(step)}`;
  const [mean, doubt] = [meanClause(comparison), doubtClause(comparison)];
  if (isEstimate(comparison)) {
    // No verb, since nothing is told. Of the steps of a sweep the largest of many estimates is mostly chance.
    const estimate = step === null ? `; estimate ${roughSpeedWords(value ?? 1)}` : '';
    return `${variant} against ${baseline}${at}: ${tooFewWords([comparison])}${estimate}${doubt}`;
  }
  const { speed, interval } = comparedSpeed(comparison);
  if (!tellsApart(comparison)) {
    const none = `${variant} and ${baseline}${at}: ${NO_DIFFERENCE}`;
    return isBrief ? `${none} in speed${mean}` : `${none}, ${speed} ${interval}${mean}${doubt}`;
  }
  const verb = speedOf(value ?? 1).direction === 'faster' ? 'is' : 'takes';
  const noise = isNoise(comparison) && doubt === '' ? `, ${TOO_SMALL}` : '';
  const found = isBrief
    ? `${variant} ${verb} ${roughSpeedWords(value ?? 1)} as ${baseline}${noise}`
    : `${variant} ${verb} ${speed} as ${baseline}${at} ${interval}${noise}, ${pairsWords(comparison)}`;
  return found + mean + doubt;
}

/**
 * `; by the mean, where slow takes count more, 1.9x as long`: where the interval of the typical ratio does not hold the ratio of the means,
 * and two digits tell them apart.
 */
function meanClause({ value, ratioOfMeans, ciLow, ciHigh, ciLevel }: Comparison): string {
  if (value === null || ratioOfMeans === null || ciLevel === null) return '';
  const isInside = ratioOfMeans >= (ciLow ?? 0) && ratioOfMeans <= (ciHigh ?? Infinity);
  // One pair is said in one direction.
  const words = roughSpeedWords(ratioOfMeans, speedOf(value));
  return isInside || words === roughSpeedWords(value) ? '' : `; by the mean, where slow takes count more, ${words}`;
}

/** What a paper or a summary says of the column. */
export const SPEED_MEANS =
  'Speed: the typical ratio of latencies (Hodges-Lehmann estimate) over pairs of takes of the same prompt and seed';

/** Why nobody may rely on a difference, the gravest reason alone; null where nothing speaks against it. */
export function doubtOf(comparison: Comparison): string | null {
  const doubt = comparison.notes.filter(({ code }) => DOUBTS.has(code)).slice(0, 1);
  if (doubt.length > 0) return noteWords(doubt);
  const { value, finding, missingBlocks: missing, blocks, metric } = comparison;
  // So many blocks lack a side that slow or bad takes may be missing: the gate decides nothing then.
  if (value === null || finding === 'too_few' || !missesTooMany({ missing, blocks })) return null;
  const side = metric.startsWith(SCORE_PREFIX) ? 'score' : 'latency';
  return `more than ${count(100 * MOST_MISSING)} % of the pairs lack a ${side}`;
}

const DOUBTS: ReadonlySet<string> = new Set(['unfit_machine', 'flagged_disagree', 'all_flagged']);

/** `; do not rely on it: this result changes ...`. A warning says of the machine why, once. */
export function doubtClause(comparison: Comparison): string {
  const doubt = doubtOf(comparison);
  if (doubt === null) return '';
  return hasNote(comparison.notes, 'unfit_machine') ? ` (${NOT_TO_RELY_ON})` : `; ${notToRelyOn(doubt)}`;
}

export const NOT_TO_RELY_ON = 'do not rely on it';

/** `do not rely on it: this machine could not keep up`. */
function notToRelyOn(doubt: string): string {
  return `${NOT_TO_RELY_ON}: ${doubt}`;
}

/** `faster in 12 of 12 pairs`, `slower in 9 of 9 pairs`. */
export function pairsWords({ finding, cellPairs, cellPairsBetter, cellPairsWorse }: Comparison): string {
  const of = plural(cellPairs, 'pair');
  return finding === 'higher'
    ? `slower in ${count(cellPairsWorse)} of ${of}`
    : `faster in ${count(cellPairsBetter)} of ${of}`;
}

/** Whether the units are too few for an interval: then no sentence, order or colour follows from the value. */
function isEstimate(comparison: Pick<Comparison, 'value' | 'finding' | 'notes'>): boolean {
  return isCompared(comparison) && comparison.finding === 'too_few';
}

/** A speed as every surface prints it, its interval in the same direction; `as fast` where no difference was found. */
export interface ComparedSpeed {
  /** `2.15x as fast`; null where nothing, or too little, was compared. */
  readonly speed: string | null;
  /** `[2.05, 2.22]`; null without a speed. */
  readonly interval: string | null;
  readonly remark: string | null;
}

export function comparedSpeed(comparison: Comparison): ComparedSpeed {
  const { value, ciLow, ciHigh } = comparison;
  if (value === null || !isCompared(comparison)) return { speed: null, interval: null, remark: 'not compared' };
  if (isEstimate(comparison)) return { speed: null, interval: null, remark: tooFewWords([comparison]) };
  const [low, high] = [inverse(ciHigh), inverse(ciLow)];
  if (!tellsApart(comparison))
    return {
      speed: `${timesBeside(1 / value, low, high)} as fast`,
      interval: ratioInterval(low, high),
      remark: NO_DIFFERENCE,
    };
  return {
    speed: speedWords(value, ciLow, ciHigh),
    interval: speedInterval(value, ciLow, ciHigh),
    remark: isNoise(comparison) ? TOO_SMALL : null,
  };
}

/** Whether the difference is told apart, but is less than this machine's noise. */
export function isNoise({ notes }: Pick<Comparison, 'notes'>): boolean {
  return hasNote(notes, 'below_noise_floor');
}

/** Where variants were sent one after the other, only an interval that includes drift is an estimate. */
export function isCompared({ value, finding, notes }: Pick<Comparison, 'value' | 'finding' | 'notes'>): boolean {
  return value !== null && !(finding === 'too_few' && hasNote(notes, 'sequential'));
}

/** What is compared and with what: `fast` and `standard`; with a stored baseline `fast (new)` and `fast (in use)`. */
export function sidesOf({ variant, baseline, baselineRun }: Comparison): readonly [variant: string, baseline: string] {
  return baselineRun === null ? [variant, baseline] : [`${variant} (new)`, `${variant} (in use)`];
}

/** Whether nothing is to be said of a speed but that no difference was found. */
export function isQuiet(comparison: Comparison): boolean {
  return comparison.finding === 'undecided' && meanClause(comparison) === '';
}

export const NO_DIFFERENCE = 'no difference found';

/** What the word means; null where no stored baseline was sent again. */
export function inUseWords({ against }: Pick<RunSummary, 'against'>): string | null {
  if (against === null) return null;
  return `In use: the stored baseline of run ${against.run}, sent again`;
}

export function tellsApart({ finding }: Pick<Comparison, 'finding'>): boolean {
  return finding === 'lower' || finding === 'higher';
}

/** The comparisons that are said first: headline latency over all blocks; of a sweep at each step. */
export function headlineComparisons(
  comparisons: readonly Comparison[],
  load: Pick<Load, 'mode'>,
): readonly Comparison[] {
  return overallComparisons(comparisons, headlineLatency(load));
}

/** What a variant changes beside its speed, where it is told apart: `it costs 1.5x as much`, `it is refused more often`. */
export function besideSpeed(comparisons: readonly Comparison[], variant: string): readonly string[] {
  return Object.entries(BESIDE_SPEED).flatMap(([metric, words]) => {
    const told = overallComparisons(comparisons, metric).find(
      (comparison) =>
        comparison.variant === variant &&
        comparison.baselineRun === null &&
        comparison.step === null &&
        tellsApart(comparison),
    );
    return told?.value === undefined || told.value === null
      ? []
      : [`it ${words(told.value, told.finding === 'higher')}`];
  });
}

const BESIDE_SPEED: Readonly<Record<string, (value: number, isMore: boolean) => string>> = {
  'cost.per_output': (ratio) => (ratio === 0 ? 'is free' : `costs ${times(ratio)} as much`),
  error_rate: (_, isMore) => `fails ${isMore ? 'more' : 'less'} often`,
  block_rate: (_, isMore) => `is refused ${isMore ? 'more' : 'less'} often`,
};

/** Sorts by speed: variants without a difference found stand with the baseline. Null without an interval. */
export function speedOrder(comparison: Comparison): number | null {
  if (!isCompared(comparison) || isEstimate(comparison)) return null;
  return tellsApart(comparison) ? comparison.value : 1;
}

/**
 * How differences are told of two or more candidates, without a full stop; null where no sentence is about so many.
 */
export function adjustedWords(comparisons: readonly Comparison[], load: Pick<Load, 'mode'>): string | null {
  const printed = comparisons.filter(
    (comparison) =>
      isOverAll(comparison) &&
      (comparison.metric === headlineLatency(load) || comparison.metric.startsWith(SCORE_PREFIX)),
  );
  return printed.some(({ pAdjusted }) => pAdjusted !== null)
    ? 'With several candidates a difference needs more evidence; intervals stay 95 %'
    : null;
}

function whyNone({ notes }: Pick<Comparison, 'notes'>): string {
  // Too few units is no reason where more of them would not help.
  const reasons = notes.filter(({ code }) => code !== 'rounds' && !code.startsWith('needs_'));
  return `not compared, because ${noteWords(reasons)}`;
}

/**
 * Why estimates have no interval: `too few pairs of takes to tell (3 of 6)`, of two candidates `(3 of 7)`, of different
 * numbers `(1 to 3 of 6)`.
 *
 * @param noun of a unit
 */
export function tooFewWords(few: ComparisonGroup, noun: string = UNIT_NOUNS[few[0].units]): string {
  const counts = few.map(({ nUnits }) => nUnits);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const needed = Math.max(...few.map(neededUnits));
  if (least >= needed) return 'no interval';
  const has = least === most ? count(least) : `${count(least)} to ${count(most)}`;
  return `too few ${plural(2, noun).slice(2)} to tell (${has} of ${count(needed)})`;
}

function neededUnits({ notes, method, family }: Pick<Comparison, 'notes' | 'method' | 'family'>): number {
  const forInterval = notes.flatMap((note) => (note.code.startsWith('needs_') && 'value' in note ? [note.value] : []));
  return Math.max(...forInterval, method === 'walsh' ? fewestToTell(family) : 0);
}

/**
 * The speed alone, for a headline: `fast is 2.1x as fast as standard`, `fast takes 1.2x as long as standard`, `fast against
 * standard: too few pairs of takes to tell (3 of 6); estimate 1.3x as fast`. Null without a comparison.
 */
export function speedHeadline(comparison: Comparison): string | null {
  return isCompared(comparison) ? speedSentence(comparison, true) : null;
}

/**
 * Of the steps of a sweep: `fast is 2.0x to 2.2x as fast as standard at concurrency 1 to 4`; where not all tell, `fast against
 * standard: 2.0x as fast at concurrency 1; too few groups of pairs to tell (4 of 6) at concurrency 2, 4`.
 */
export function sweepHeadline(steps: readonly Comparison[]): string | null {
  const compared = steps.filter(isCompared).toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0));
  const [first] = compared;
  if (first === undefined) return null;
  const [variant, baseline] = sidesOf(first);
  const at = (of: readonly Comparison[], joint: string) => of.map(({ step }) => count(step ?? 0)).join(joint);
  const directions = new Set(compared.map(({ value }) => speedOf(value ?? 1).direction));
  if (directions.size > 1 || !compared.every(tellsApart)) {
    const words = (step: Comparison) => {
      if (isEstimate(step)) return tooFewWords([step]);
      return tellsApart(step) ? roughSpeedWords(step.value ?? 1) : NO_DIFFERENCE;
    };
    const alike = [...groupBy(compared, words)].map(([found, of]) => `${found} at concurrency ${at(of, ', ')}`);
    return `${variant} against ${baseline}: ${alike.join('; ')}`;
  }
  const bySpeed = compared.toSorted((a, b) => speedSize(a) - speedSize(b));
  const [low = '', high = ''] = [...bySpeed.slice(0, 1), ...bySpeed.slice(-1)].map(({ value }) =>
    roughSpeedWords(value ?? 1),
  );
  const range = low === high ? low : `${low.split(' ', 1)[0]} to ${high}`;
  const verb = directions.has('faster') ? 'is' : 'takes';
  const ends = [...new Set([...compared.slice(0, 1), ...compared.slice(-1)])];
  return `${variant} ${verb} ${range} as ${baseline} at concurrency ${at(ends, ' to ')}`;
}

function speedSize({ value }: Comparison): number {
  return Math.max(value ?? 1, 1 / (value ?? 1));
}

/** `[2.05, 2.22]`, `[0.97, 1.05], no difference found`, `too few pairs of takes to tell (3 of 6)`. */
export function speedEvidenceWords(comparison: Comparison): string {
  const { interval, remark } = comparedSpeed(comparison);
  return [interval, remark].filter((part) => part !== null).join(', ');
}
