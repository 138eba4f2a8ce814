import { FEWEST_FOR_MEAN, sum } from '../statistics/mean.ts';
import { CONFIDENCE } from '../statistics/quantile.ts';
import { FEWEST_CLUSTERS } from '../statistics/rise-test.ts';
import { fewestForSignedRank } from '../statistics/signed-rank.ts';
import type { Comparison, ComparisonFinding } from './comparison.ts';
import {
  countRateBlocks,
  eventsByCellPair,
  type PairedEffect,
  pairedEffect,
  rateDifference,
  rateEffect,
} from './effects.ts';
import type { ComparisonNote } from './note.ts';
import { type BlockPair, type Combining, shownDifference, type UnitKind, unitsOf } from './pair-units.ts';
import type { Better } from './unit.ts';

export type BlockComparison = Pick<
  Comparison,
  | 'effect'
  | 'value'
  | 'ciLow'
  | 'ciHigh'
  | 'ciLevel'
  | 'ratioOfMeans'
  | 'method'
  | 'units'
  | 'nUnits'
  | 'cellPairs'
  | 'cellPairsBetter'
  | 'cellPairsWorse'
  | 'unitValues'
  | 'blocks'
  | 'missingBlocks'
  | 'censoredBlocks'
  | 'p'
  | 'valueUnflagged'
  | 'finding'
  | 'notes'
>;

export function compareValues(
  blocks: readonly BlockPair<number>[],
  { units: kind, better, ...combining }: Combining & { readonly units: UnitKind; readonly better: Better },
): BlockComparison {
  const { effect, centre } = combining;
  const { units, missing, censored } = unitsOf(blocks, { kind, ...combining });
  const shown = (difference: number | null) => shownDifference(difference, { effect, censored });
  const tested = pairedEffect(units, CONFIDENCE, centre);
  const cells = unitsOf(blocks, { kind: 'cells', ...combining }).units.map(({ difference }) => difference);
  const unflagged = blocks.filter(({ flagged }) => !flagged);
  const isFlagged = unflagged.length < blocks.length;
  const without = isFlagged ? pairedEffect(unitsOf(unflagged, { kind, ...combining }).units, CONFIDENCE, centre) : null;
  const fewest = centre === undefined ? fewestForSignedRank((1 - CONFIDENCE) / 2) : FEWEST_FOR_MEAN;
  return {
    effect,
    value: shown(tested.estimate),
    ciLow: shown(tested.interval?.low ?? null),
    ciHigh: shown(tested.interval?.high ?? null),
    ciLevel: tested.interval === null ? null : CONFIDENCE,
    ratioOfMeans: effect === 'ratio' ? ratioOfMeans(blocks) : null,
    method: tested.method,
    units: kind,
    nUnits: tested.n,
    ...countCellPairs(cells, better),
    unitValues: units
      .flatMap(({ difference }) => (Number.isFinite(difference) ? (shown(difference) ?? []) : []))
      .sort((a, b) => a - b),
    blocks: blocks.length,
    missingBlocks: missing,
    censoredBlocks: censored,
    // Too few units for an interval are too few for a test.
    p: tested.interval === null ? null : tested.p,
    valueUnflagged: shown(without?.estimate ?? null),
    finding: findingOf(tested.interval),
    notes: [...notesOf(tested, kind, fewest, censored), ...(without === null ? [] : flaggedNotes(tested, without))],
  };
}

export function compareEvents(
  blocks: readonly BlockPair<boolean>[],
  { units: kind, better }: { readonly units: UnitKind; readonly better: Better },
): BlockComparison {
  const counted = countRateBlocks(blocks);
  const tested = rateEffect(counted, kind, CONFIDENCE);
  const unflagged = blocks.filter(({ flagged }) => !flagged);
  const cells = eventsByCellPair(blocks);
  return {
    effect: 'difference',
    value: tested.difference,
    ciLow: tested.interval?.low ?? null,
    ciHigh: tested.interval?.high ?? null,
    ciLevel: tested.interval === null ? null : CONFIDENCE,
    ratioOfMeans: null,
    method: tested.method,
    units: kind,
    nUnits: tested.n,
    ...countCellPairs(cells, better),
    unitValues: [],
    blocks: blocks.length,
    missingBlocks: counted.missing,
    censoredBlocks: 0,
    p: tested.p,
    valueUnflagged: unflagged.length === blocks.length ? null : rateDifference(countRateBlocks(unflagged)),
    finding: findingOf(tested.interval),
    notes: notesOf({ n: tested.n, estimate: tested.difference, interval: tested.interval }, kind, FEWEST_CLUSTERS),
  };
}

/** Weighs slow calls by their duration, which the median of ratios does not; null without a value. */
function ratioOfMeans(blocks: readonly BlockPair<number>[]): number | null {
  const whole = blocks.flatMap(({ baseline, candidate }) =>
    baseline === null || candidate === null ? [] : [{ baseline, candidate }],
  );
  const ratio = sum(whole.map(({ candidate }) => candidate)) / sum(whole.map(({ baseline }) => baseline));
  return Number.isFinite(ratio) && ratio > 0 ? ratio : null;
}

function countCellPairs(
  differences: readonly number[],
  better: Better,
): Pick<Comparison, 'cellPairs' | 'cellPairsBetter' | 'cellPairsWorse'> {
  const below = differences.filter((difference) => difference < 0).length;
  const above = differences.filter((difference) => difference > 0).length;
  if (better === null) return { cellPairs: differences.length, cellPairsBetter: 0, cellPairsWorse: 0 };
  const [cellPairsBetter, cellPairsWorse] = better === 'lower' ? [below, above] : [above, below];
  return { cellPairs: differences.length, cellPairsBetter, cellPairsWorse };
}

/** A difference is reported only if the interval excludes 0. */
function findingOf(interval: PairedEffect['interval']): ComparisonFinding {
  if (interval === null) return 'too_few';
  if (interval.low > 0) return 'higher';
  return interval.high < 0 ? 'lower' : 'undecided';
}

/** @param fewest units that an interval needs */
function notesOf(
  { n, estimate, interval }: Pick<PairedEffect, 'n' | 'estimate' | 'interval'>,
  kind: UnitKind,
  fewest: number,
  censored = 0,
): readonly ComparisonNote[] {
  const isCensored = censored > 0;
  // Without a time-out only a baseline of 0 leaves a ratio without an end.
  const isOfZero = !isCensored && (estimate === Infinity || interval?.high === Infinity);
  return [
    ...(kind === 'rounds' ? [{ code: 'rounds', value: n } as const] : []),
    ...(estimate === null ? [{ code: 'no_pair' } as const] : []),
    ...(isCensored && estimate === Infinity ? [{ code: 'candidate_timed_out' } as const] : []),
    ...(isCensored && estimate === -Infinity ? [{ code: 'baseline_timed_out' } as const] : []),
    ...(isOfZero ? [{ code: 'baseline_zero' } as const] : []),
    ...(estimate !== null && interval === null ? [{ code: NEEDS[kind], value: fewest }] : []),
    ...(isCensored && interval?.low === -Infinity ? [{ code: 'ci_low_open' } as const] : []),
    ...(isCensored && interval?.high === Infinity ? [{ code: 'ci_high_open' } as const] : []),
  ];
}

/** If the unflagged units are too few for a finding, their direction must agree with the finding. */
function flaggedNotes({ interval }: Pick<PairedEffect, 'interval'>, without: PairedEffect): readonly ComparisonNote[] {
  const finding = findingOf(interval);
  if (finding === 'too_few') return [];
  if (without.estimate === null) return [{ code: 'all_flagged' }];
  const end = without.interval ?? { low: without.estimate, high: without.estimate };
  const isSame = findingOf(end) === finding || (without.interval === null && finding === 'undecided');
  return isSame ? [] : [{ code: 'flagged_disagree' }];
}

const NEEDS = {
  blocks: 'needs_blocks',
  rounds: 'needs_rounds',
  cells: 'needs_cell_pairs',
  prompts: 'needs_prompts',
} as const;
