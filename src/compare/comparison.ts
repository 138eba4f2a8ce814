import type { Better, Unit } from '../analysis/measures/unit.ts';
import type { RiseMethod } from '../statistics/rates/rise-test.ts';
import type { Kind } from '../suite/format/suite.ts';
import type { ComparisonNote } from './comparison-note.ts';
import type { PromptEffect } from './effects/prompt-effect.ts';
import type { Effect, UnitKind } from './pairs/units.ts';

/** What a comparison speaks of: all blocks by their units, or the blocks of one prompt or tag. */
export type Scope =
  | { readonly of: UnitKind }
  | { readonly of: 'prompt'; readonly id: string }
  | { readonly of: 'tag'; readonly tag: string };

/**
 * - `lower`, `higher`: the candidate's values are significantly so (two-sided 5 %, not adjusted)
 * - `undecided`: not told apart
 * - `too_few`: too few units for an interval
 */
export type ComparisonFinding = 'lower' | 'higher' | 'undecided' | 'too_few';

/**
 * One variant against the baseline variant of its kind, or against itself as the stored baseline declared it, by one statistic of
 * one metric. Always candidate / baseline.
 */
export interface Comparison {
  readonly variant: string;
  readonly baseline: string;
  /** The run that the stored baseline was kept from; null where the baseline is a variant of the suite. */
  readonly baselineRun: string | null;
  readonly kind: Kind;
  readonly scope: Scope;
  /** Of a sweep, how many were in flight; null outside one. */
  readonly step: number | null;
  readonly metric: string;
  readonly statistic: string;
  /** Of the value: `1` where it is a ratio. */
  readonly unit: Unit;
  readonly better: Better;
  readonly effect: Effect;
  /** Null where there is none; then `notes` says why. */
  readonly value: number | null;
  /** Null where there is no interval, and where an end is open: then `notes` says so. */
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  readonly ciLevel: number | null;
  readonly method: ComparisonMethod;
  /** The independent units that interval and p stand on. */
  readonly units: UnitKind;
  readonly nUnits: number;
  /** Cell pairs in which both variants have a value, and those of them in which the candidate is better, and worse. */
  readonly cellPairs: number;
  readonly cellPairsBetter: number;
  readonly cellPairsWorse: number;
  /**
   * Of each unit candidate / baseline, in ascending order, without those in which one side timed out. Only of the headline latency
   * over all blocks; else empty.
   */
  readonly unitValues: readonly number[];
  /** Blocks in all, those in which one side has no value, and those in which one side timed out. */
  readonly blocks: number;
  readonly missingBlocks: number;
  readonly censoredBlocks: number;
  /** Two-sided; null where nothing can be tested, and where there is no interval. */
  readonly p: number | null;
  /** By Benjamini and Hochberg, over all comparisons of the run that have a p and the same kind of scope. */
  readonly pAdjusted: number | null;
  /** The value without the blocks that hold a flagged take; null where that leaves none, or nothing was flagged. */
  readonly valueUnflagged: number | null;
  readonly finding: ComparisonFinding;
  /** Whether the effect differs by prompt. Only of the headline latency over all blocks; else null. */
  readonly promptEffect: PromptEffect | null;
  readonly notes: readonly ComparisonNote[];
}

/** How value and interval were made. */
export type ComparisonMethod = 'walsh' | RiseMethod;
