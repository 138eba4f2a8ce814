import { groupBy } from '../kit/grouping.ts';
import { caseSeedOf } from '../plan/plan.ts';
import { mean } from '../statistics/mean.ts';
import { tied } from '../statistics/mid-ranks.ts';
import { benjaminiHochberg } from '../statistics/multiple-tests.ts';
import { CONFIDENCE, extendedMedian } from '../statistics/quantile.ts';
import { fewestForSignedRank } from '../statistics/signed-rank.ts';
import type { Load } from '../suite/load.ts';
import type { Comparison } from './comparison.ts';
import type { EffectiveSample } from './effective-sample.ts';
import type { TakeReading } from './metric.ts';
import { sliceOf } from './sample-times.ts';

/** One block (prompt, seed and repeat) of two variants. A value is null if its take was not sent or does not count. */
export interface BlockPair<Value = number> {
  readonly block: string;
  readonly prompt: string;
  readonly cellPair: string;
  /** Shared by all blocks sent in the same two slices. */
  readonly round: string;
  readonly baseline: Value | null;
  readonly candidate: Value | null;
  /** Whether a flag may affect a time of either take. */
  readonly flagged: boolean;
}

export type TakePair = BlockPair<EffectiveSample>;

/** The blocks answered by at least one of two variants, in sending order. All takes belong to one load, or one step. */
export function pairTakes(
  baseline: readonly EffectiveSample[],
  candidate: readonly EffectiveSample[],
  isFlagged: (take: EffectiveSample) => boolean,
): readonly TakePair[] {
  const blocks = groupBy(
    [...baseline.map(sideOf('baseline')), ...candidate.map(sideOf('candidate'))],
    ({ take }) => take.sample.trial.block,
  );
  const roundOf = roundsOf(blocks.values());
  return [...blocks].map(([block, sides]): TakePair => {
    const of = (side: Side) => sides.find((sided) => sided.side === side)?.take ?? null;
    const [{ take }] = nonEmpty(sides);
    return {
      block,
      prompt: take.sample.trial.prompt,
      cellPair: caseSeedOf(take.sample.trial),
      round: roundOf(sides),
      baseline: of('baseline'),
      candidate: of('candidate'),
      flagged: sides.some((sided) => isFlagged(sided.take)),
    };
  });
}

/**
 * What a reading gives of both takes of each block with such values; an event is 1, none is 0. A reading of pairs counts
 * blocks whose question was asked. What outputs alone show is never flagged.
 */
export function readBlocks(pairs: readonly TakePair[], reading: TakeReading): readonly BlockPair[] {
  if ('readPair' in reading) {
    return pairs.flatMap((pair) => {
      const { candidate, baseline } = pair;
      const worse = candidate === null || baseline === null ? undefined : reading.readPair(candidate, baseline);
      if (worse === undefined) return [];
      const answered =
        worse === null ? UNANSWERED : { candidate: Number(worse.candidate), baseline: Number(worse.baseline) };
      return [{ ...pair, ...answered, flagged: false }];
    });
  }
  const { read, outputUnits, applies = () => true } = reading;
  const readFrom = (take: EffectiveSample | null) => {
    const value = take === null ? null : read(take);
    return value === null ? null : Number(value);
  };
  const asked = pairs.filter(({ baseline, candidate }) =>
    [baseline, candidate].every((take) => take === null || applies(take)),
  );
  return asked.map((pair) => ({
    ...pair,
    baseline: readFrom(pair.baseline),
    candidate: readFrom(pair.candidate),
    flagged: outputUnits === undefined && pair.flagged,
  }));
}

const UNANSWERED = { candidate: null, baseline: null } as const;

type Side = 'baseline' | 'candidate';

interface SidedTake {
  readonly side: Side;
  readonly take: EffectiveSample;
}

function sideOf(side: Side): (take: EffectiveSample) => SidedTake {
  return (take) => ({ side, take });
}

/** The baseline's slice names the round. A block without a baseline take joins the round of its candidate's slice. */
function roundsOf(blocks: Iterable<readonly SidedTake[]>): (sides: readonly SidedTake[]) => string {
  const partner = new Map<string, string>();
  for (const sides of blocks) {
    const baseline = sliceOfSide(sides, 'baseline');
    const candidate = sliceOfSide(sides, 'candidate');
    if (baseline !== null && candidate !== null) partner.set(candidate, baseline);
  }
  return (sides) => {
    const candidate = sliceOfSide(sides, 'candidate') ?? '';
    return sliceOfSide(sides, 'baseline') ?? partner.get(candidate) ?? `candidate ${candidate}`;
  };
}

function sliceOfSide(sides: readonly SidedTake[], side: Side): string | null {
  const sided = sides.find((other) => other.side === side);
  return sided === undefined ? null : sliceOf(sided.take.sample);
}

function nonEmpty<T>(items: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = items;
  if (first === undefined) throw new Error('a block without a take');
  return [first, ...rest];
}

/**
 * What counts as one independent observation.
 * - `blocks`: at concurrency 1. The order of its takes is random, so equal variants are as likely to differ either way.
 * - `rounds`: above concurrency 1 and in a sweep, since blocks of a round share its slices and their disturbances.
 * - `cells`: cell pairs in sequential order, since takes of a cell share the drift between variants.
 */
export type UnitKind = 'blocks' | 'rounds' | 'cells';

/**
 * Drift is in the interval of cell pairs. With one slice a variant there is no interval, and the difference includes
 * drift.
 */
export function unitKindOf(load: Load): UnitKind {
  if (load.mode === 'open' || load.steps !== null || load.concurrency > 1) return 'rounds';
  return load.order === 'sequential' ? 'cells' : 'blocks';
}

/** What counts as one independent observation of a reading. */
export function unitKindOfReading({ outputUnits }: Pick<TakeReading, 'outputUnits'>, load: Load): UnitKind {
  return outputUnits ?? unitKindOf(load);
}

export type Combining = Pick<TakeReading, 'effect' | 'centre'>;

/** The difference of a block that the candidate lost, by what the baseline has. */
export type LostAs = (baseline: number) => number;

/** ln of the ratio, or the difference. `Infinity` if only the candidate timed out, or only the baseline is 0. */
export interface PairUnit {
  readonly key: string;
  readonly difference: number;
}

export interface Units {
  readonly kind: UnitKind;
  readonly units: readonly PairUnit[];
  readonly blocks: number;
  /** Blocks with a side without a value. */
  readonly missing: number;
  /** Blocks where only the baseline has a value. */
  readonly lost: number;
  /** Blocks where a side timed out. */
  readonly censored: number;
}

/** With a larger share of missing blocks nothing passes: they may be the slow calls. */
export const MOST_MISSING = 0.2;

export function missesTooMany({ missing, blocks }: Pick<Units, 'missing' | 'blocks'>): boolean {
  return missing > MOST_MISSING * blocks;
}

/** A block needs both values. `lostAs`: null leaves lost blocks out. */
export function unitsOf(
  blocks: readonly BlockPair[],
  { kind, effect, centre }: Combining & { readonly kind: UnitKind },
  lostAs: LostAs | null = null,
): Units {
  const isMean = centre !== undefined || effect === 'rate';
  return {
    kind,
    units: combinedBy(
      countedBlocks(blocks, effect, lostAs),
      ({ block }) => KEYS[kind](block),
      isMean ? tiedMean : extendedMedian,
    ),
    blocks: blocks.length,
    missing: blocks.filter((block) => !isWhole(block)).length,
    lost: blocks.filter((block) => isLost(block)).length,
    censored: blocks.filter((block) => isWhole(block) && (block.baseline === Infinity || block.candidate === Infinity))
      .length,
  };
}

const KEYS: Readonly<Record<UnitKind, (block: BlockPair) => string>> = {
  blocks: ({ block }) => block,
  rounds: ({ round }) => round,
  cells: ({ cellPair }) => cellPair,
};

export interface CountedBlock {
  readonly block: BlockPair;
  readonly difference: number;
}

/** Blocks with a difference. */
export function countedBlocks(
  blocks: readonly BlockPair[],
  effect: Combining['effect'],
  lostAs: LostAs | null,
): readonly CountedBlock[] {
  return blocks.flatMap((block) => {
    const difference = differenceOf(block, effect, lostAs);
    return difference === null ? [] : [{ block, difference }];
  });
}

/** Null if a side has no value, or both timed out. */
function differenceOf(block: BlockPair, effect: Combining['effect'], lostAs: LostAs | null): number | null {
  const { baseline, candidate } = block;
  if (isLost(block)) return baseline === null ? null : (lostAs?.(baseline) ?? null);
  if (baseline === null || candidate === null) return null;
  if (baseline === candidate) return baseline === Infinity ? null : 0;
  if (candidate === Infinity) return Infinity;
  if (baseline === Infinity) return -Infinity;
  // Of 0 it is infinite: what is free is cheaper than all that costs.
  return effect === 'ratio' ? Math.log(candidate / baseline) : tied(candidate - baseline);
}

function isWhole({ baseline, candidate }: BlockPair): boolean {
  return baseline !== null && candidate !== null;
}

function isLost({ baseline, candidate }: BlockPair): boolean {
  return baseline !== null && candidate === null;
}

/** A difference in the unit of its effect; null if it has none. A ratio is 0 where only the candidate is, and none timed out. */
export function shownDifference(
  difference: number | null,
  { effect, censored }: Pick<Units, 'censored'> & Pick<Combining, 'effect'>,
): number | null {
  if (difference === null || (difference === -Infinity && censored > 0)) return null;
  const shown = effect === 'ratio' ? Math.exp(difference) : difference;
  return Number.isFinite(shown) ? shown : null;
}

function combinedBy(
  counted: readonly CountedBlock[],
  keyOf: (block: CountedBlock) => string,
  centreOf: (differences: readonly number[]) => number | null,
): readonly PairUnit[] {
  return [...groupBy(counted, keyOf)].flatMap(([key, members]) => {
    const difference = centreOf(members.map((member) => member.difference));
    return difference === null ? [] : [{ key, difference }];
  });
}

/** Rounded, so that equal values have an equal mean whatever their number. */
function tiedMean(differences: readonly number[]): number | null {
  const centre = mean(differences);
  return centre === null ? null : tied(centre);
}

/** |ln ratio| of a share: ln(1 + share) of an increase, -ln(1 - share) of a decrease. `Infinity` from a share of 1. */
export function lnWorsening(worse: 'increase' | 'decrease', share: number): number {
  if (worse === 'increase') return Math.log1p(share);
  return share >= 1 ? Infinity : -Math.log1p(-share);
}

/** The fewest units that tell one comparison of a family apart: 6 for one alone, 7 among two or three, 9 among ten. */
export function fewestToTell(family: number): number {
  return fewestForSignedRank((1 - CONFIDENCE) / 2 / family);
}

/**
 * Adjusts p by Benjamini and Hochberg over the comparisons of one metric, each candidate once or once for each prompt;
 * no p is no finding. A difference in a family of two or more needs an interval that excludes equality and an adjusted
 * p of at most 5 %.
 */
export function adjustedByFamily(comparisons: readonly Comparison[]): readonly Comparison[] {
  const adjustedOf = new Map<Comparison, Comparison>();
  for (const family of groupBy(comparisons, familyOf).values()) {
    const adjusted = benjaminiHochberg(family.map(({ p }) => p ?? 1));
    for (const [at, comparison] of family.entries()) {
      const { p, finding, notes } = comparison;
      const pAdjusted = p === null || family.length === 1 ? null : (adjusted[at] ?? 1);
      const isOpen = pAdjusted !== null && pAdjusted > 1 - CONFIDENCE;
      adjustedOf.set(comparison, {
        ...comparison,
        family: family.length,
        pAdjusted,
        finding: isOpen ? 'undecided' : finding,
        // A result undecided with flagged takes needs no note about them.
        notes: isOpen ? notes.filter(({ code }) => code !== 'flagged_disagree') : notes,
      });
    }
  }
  return comparisons.map((comparison) => adjustedOf.get(comparison) ?? comparison);
}

/** Whether it is of all takes, not of those of a prompt or tag. */
export function isOverAll({ scope }: Pick<Comparison, 'scope'>): boolean {
  return scope.of !== 'prompt' && scope.of !== 'tag';
}

/** Of a metric, over all takes; of a sweep one for each step. */
export function overallComparisons(comparisons: readonly Comparison[], metric: string): readonly Comparison[] {
  return comparisons.filter((comparison) => comparison.metric === metric && isOverAll(comparison));
}

/** Comparisons with stored baselines are a separate family: they answer another question. */
function familyOf({ metric, statistic, kind, step, scope, baselineRun }: Comparison): string {
  return JSON.stringify([metric, statistic, kind, step, scope.of, baselineRun]);
}
