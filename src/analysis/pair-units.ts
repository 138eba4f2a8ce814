import { mean } from '../statistics/mean.ts';
import { tied } from '../statistics/mid-ranks.ts';
import { benjaminiHochberg } from '../statistics/multiple-tests.ts';
import { extendedMedian } from '../statistics/quantile.ts';
import { fewestForSignedRank } from '../statistics/signed-rank.ts';
import type { Load } from '../suite/load.ts';
import type { Comparison } from './comparison.ts';
import type { BlockPair } from './effects/block-pair.ts';
import { groupBy } from './grouping.ts';
import { CONFIDENCE } from './measures/confidence.ts';
import type { ValueReading } from './metric.ts';

/**
 * What counts as one independent observation of a comparison.
 * - `blocks`: a block, at concurrency 1. Which of its takes comes first is drawn at random, so that equal variants are
 *   as likely to
 *   differ one way as the other, also where takes that are close in time are alike.
 * - `rounds`: a round. Above concurrency 1 and in a sweep the blocks of a round share its slices, and so whatever
 *   slowed these.
 * - `cells`: a cell pair, where one variant is sent after the other: the takes of a cell share what changed between the
 *   two.
 * - `prompts`: a prompt with all its cell pairs, where the comparison is to speak of prompts like these.
 */
export type UnitKind = 'blocks' | 'rounds' | 'cells' | 'prompts';

/**
 * The independent unit under a load.
 * - Concurrency 1: the block; in sequential order the cell pair, so that drift is in its interval.
 * - Above it, at steps of a sweep, and under open load: the round, since blocks of a round share its slices.
 *
 * Under open load, and in sequential order above concurrency 1, a variant has one slice. One round gives no interval,
 * and drift between two variants is in their difference.
 */
export function unitKindOf(load: Load): UnitKind {
  if (load.mode === 'open' || load.steps !== null || load.concurrency > 1) return 'rounds';
  return load.order === 'sequential' ? 'cells' : 'blocks';
}

/** What counts as one independent observation of a reading under a load. */
export function unitKindOfReading({ outputUnits }: Pick<ValueReading, 'outputUnits'>, load: Load): UnitKind {
  return outputUnits ?? unitKindOf(load);
}

export type Effect = 'ratio' | 'difference';

/** How blocks are put together. */
export type Combining = Pick<ValueReading, 'effect' | 'centre'>;

/**
 * One unit: the difference of candidate and baseline, as ln of the ratio or in the metric's unit. `Infinity` where the
 * candidate timed out and the baseline did not, `-Infinity` the other way round.
 */
export interface PairUnit {
  readonly key: string;
  readonly difference: number;
}

export interface Units {
  readonly kind: UnitKind;
  readonly units: readonly PairUnit[];
  readonly blocks: number;
  /** Blocks in which one side has no value. */
  readonly missing: number;
  /** The candidate has none and the baseline has one. */
  readonly lost: number;
  /** Blocks in which at least one side timed out. */
  readonly censored: number;
}

/** The share of blocks that may lack a value: beyond it slow calls may be missing, and nothing passes. */
export const MOST_MISSING = 0.2;

export function missesTooMany({ missing, blocks }: Pick<Units, 'missing' | 'blocks'>): boolean {
  return missing > MOST_MISSING * blocks;
}

/**
 * A unit is a block; the median over the blocks of a round or cell pair, or their mean where the reading asks for means;
 * or of a prompt the mean over its cell pairs. It needs a block with both values. Values of a ratio are above 0, or the
 * block is missing.
 *
 * @param lostAs the difference of a block that the candidate lost, by the baseline's value; null: it is left out
 */
export function unitsOf(
  blocks: readonly BlockPair<number>[],
  { kind, effect, centre }: Combining & { readonly kind: UnitKind },
  lostAs: ((baseline: number) => number) | null = null,
): Units {
  const differences = blocks.map((block) => ({ block, difference: differenceOf(block, effect, lostAs) }));
  const counted = differences.flatMap(({ block, difference }) => (difference === null ? [] : [{ block, difference }]));
  const combined = combinedBy(
    counted,
    ({ block }) => KEYS[kind](block),
    centre === undefined ? extendedMedian : tiedMean,
  );
  return {
    kind,
    units: kind === 'prompts' ? byPrompt(combined, blocks) : combined,
    blocks: blocks.length,
    missing: blocks.filter((block) => !isWhole(block, effect)).length,
    lost: blocks.filter((block) => isLost(block, effect)).length,
    censored: blocks.filter(
      (block) => isWhole(block, effect) && (block.baseline === Infinity || block.candidate === Infinity),
    ).length,
  };
}

const KEYS: Readonly<Record<UnitKind, (block: BlockPair<number>) => string>> = {
  blocks: ({ block }) => block,
  rounds: ({ round }) => round,
  cells: ({ cellPair }) => cellPair,
  prompts: ({ cellPair }) => cellPair,
};

interface CountedBlock {
  readonly block: BlockPair<number>;
  readonly difference: number;
}

/** Null of a block that says nothing: a side without a value, or both timed out. */
function differenceOf(
  block: BlockPair<number>,
  effect: Effect,
  lostAs: ((baseline: number) => number) | null,
): number | null {
  const { baseline, candidate } = block;
  if (isLost(block, effect)) return baseline === null ? null : (lostAs?.(baseline) ?? null);
  if (!isUsable(baseline, effect) || !isUsable(candidate, effect)) return null;
  if (baseline === Infinity && candidate === Infinity) return null;
  if (candidate === Infinity) return Infinity;
  if (baseline === Infinity) return -Infinity;
  return effect === 'ratio' ? Math.log(candidate / baseline) : tied(candidate - baseline);
}

function isUsable(value: number | null, effect: Effect): value is number {
  return value !== null && (effect === 'difference' || value > 0);
}

function isWhole({ baseline, candidate }: BlockPair<number>, effect: Effect): boolean {
  return isUsable(baseline, effect) && isUsable(candidate, effect);
}

function isLost({ baseline, candidate }: BlockPair<number>, effect: Effect): boolean {
  return isUsable(baseline, effect) && !isUsable(candidate, effect);
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

/** Equal where the values are, whatever their number. */
function tiedMean(differences: readonly number[]): number | null {
  const centre = mean(differences);
  return centre === null ? null : tied(centre);
}

function byPrompt(cells: readonly PairUnit[], blocks: readonly BlockPair<number>[]): readonly PairUnit[] {
  const promptOf = new Map(blocks.map(({ cellPair, prompt }) => [cellPair, prompt]));
  return [...groupBy(cells, ({ key }) => promptOf.get(key) ?? '')].flatMap(([key, own]) => {
    // Opposite infinities say nothing.
    const difference = own.reduce((total, cell) => total + cell.difference, 0) / own.length;
    return Number.isNaN(difference) ? [] : [{ key, difference }];
  });
}

/** Of a smaller family each interval decides by itself: by convention nobody adjusts one or two comparisons. */
const FEWEST_ADJUSTED = 3;

/**
 * The fewest units whose signed rank test can tell one of so many candidates apart if no other one differs: 6 of one
 * or two candidates, 7 of three, 9 of ten.
 */
export function fewestToTell(candidates: number): number {
  return fewestForSignedRank((1 - CONFIDENCE) / 2 / (candidates < FEWEST_ADJUSTED ? 1 : candidates));
}

/**
 * Adjusts p by Benjamini and Hochberg's procedure over the family of each comparison: the candidates that are compared
 * by one metric. Whoever looks at all of them is told of a difference that is none in about 5 % of runs. A comparison
 * without a p counts as one that finds nothing. Findings follow: of a family of three or more, a difference is told
 * where its interval excludes equality and its adjusted p is at most 5 %.
 */
export function adjustedByFamily(comparisons: readonly Comparison[]): readonly Comparison[] {
  const found = new Map<Comparison, Comparison>();
  for (const family of groupBy(comparisons, familyOf).values()) {
    const adjusted = benjaminiHochberg(family.map(({ p }) => p ?? 1));
    for (const [at, comparison] of family.entries()) {
      const { p, finding, notes } = comparison;
      const pAdjusted = p === null || family.length < FEWEST_ADJUSTED ? null : (adjusted[at] ?? 1);
      const isOpen = pAdjusted !== null && pAdjusted > 1 - CONFIDENCE;
      found.set(comparison, {
        ...comparison,
        family: family.length,
        pAdjusted,
        finding: isOpen ? 'undecided' : finding,
        // What is not told with flagged takes is not told without them either.
        notes: isOpen ? notes.filter(({ code }) => code !== 'flagged_disagree') : notes,
      });
    }
  }
  return comparisons.map((comparison) => found.get(comparison) ?? comparison);
}

/** Of stored baselines each is of one variant: they answer another question than the baseline variant. */
function familyOf({ metric, statistic, kind, step, scope, baselineRun }: Comparison): string {
  return JSON.stringify([metric, statistic, kind, step, scope.of, baselineRun]);
}
