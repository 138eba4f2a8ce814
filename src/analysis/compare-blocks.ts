import { FEWEST_FOR_MEAN, sum } from '../statistics/mean.ts';
import { intervalOf, type PairInterval, type PairTest, twoSidedP } from '../statistics/pair-test.ts';
import { CONFIDENCE } from '../statistics/quantile.ts';
import { FEWEST_CLUSTERS } from '../statistics/rise-test.ts';
import { fewestForSignedRank } from '../statistics/signed-rank.ts';
import type { Comparison, ComparisonFinding } from './comparison.ts';
import { type Note, noted } from './note.ts';
import { type BlockPair, shownDifference, unitsOf } from './pair-units.ts';
import { type TestedAs, testBlocks } from './tested-blocks.ts';
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

export function compareBlocks(
  blocks: readonly BlockPair[],
  { better, ...testedAs }: TestedAs & { readonly better: Better },
): BlockComparison {
  const { kind, effect, ...combining } = testedAs;
  const { test, units, missing, censored } = testBlocks(blocks, testedAs);
  const interval = intervalOf(test, CONFIDENCE);
  const shown = (difference: number | null) => shownDifference(difference, { effect, censored });
  const cells = unitsOf(blocks, { ...combining, effect, kind: 'cells' }).units.map(({ difference }) => difference);
  const unflagged = blocks.filter(({ flagged }) => !flagged);
  const without = unflagged.length < blocks.length ? testBlocks(unflagged, testedAs).test : null;
  return {
    effect: effect === 'ratio' ? 'ratio' : 'difference',
    value: shown(test.estimate),
    ciLow: shown(interval?.low ?? null),
    ciHigh: shown(interval?.high ?? null),
    ciLevel: interval === null ? null : CONFIDENCE,
    ratioOfMeans: effect === 'ratio' ? ratioOfMeans(blocks) : null,
    method: test.method,
    units: kind,
    nUnits: test.n,
    ...countCellPairs(cells, better),
    unitValues: units
      .flatMap(({ difference }) => (Number.isFinite(difference) ? (shown(difference) ?? []) : []))
      .sort((a, b) => a - b),
    blocks: blocks.length,
    missingBlocks: missing,
    censoredBlocks: censored,
    // Too few units for an interval are too few for a test.
    p: interval === null ? null : twoSidedP(test),
    valueUnflagged: shown(without?.estimate ?? null),
    finding: findingOf(interval),
    notes: [
      ...notesOf(test, interval, testedAs, censored),
      // What is flagged are times, which hardly make an event.
      ...(without === null || effect === 'rate' ? [] : flaggedNotes(interval, without)),
    ],
  };
}

/** Weighs slow calls by their duration, which the median of ratios does not; null without a value. */
function ratioOfMeans(blocks: readonly BlockPair[]): number | null {
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
function findingOf(interval: PairInterval | null): ComparisonFinding {
  if (interval === null) return 'too_few';
  if (interval.low > 0) return 'higher';
  return interval.high < 0 ? 'lower' : 'undecided';
}

function notesOf(
  { n, estimate }: PairTest,
  interval: PairInterval | null,
  { kind, effect, centre }: TestedAs,
  censored: number,
): readonly Note[] {
  const isCensored = censored > 0;
  // Without a time-out only a baseline of 0 leaves a ratio without an end.
  const isOfZero = !isCensored && (estimate === Infinity || interval?.high === Infinity);
  const fewest = () =>
    effect === 'rate'
      ? FEWEST_CLUSTERS
      : centre === undefined
        ? fewestForSignedRank((1 - CONFIDENCE) / 2)
        : FEWEST_FOR_MEAN;
  return [
    ...(kind === 'rounds' ? [noted('rounds', n)] : []),
    ...(estimate === null ? [noted('no_pair')] : []),
    ...(isCensored && estimate === Infinity ? [noted('candidate_timed_out')] : []),
    ...(isCensored && estimate === -Infinity ? [noted('baseline_timed_out')] : []),
    ...(isOfZero ? [noted('baseline_zero')] : []),
    ...(estimate !== null && interval === null ? [noted(NEEDS[kind], fewest())] : []),
    ...(isCensored && interval?.low === -Infinity ? [noted('ci_low_open')] : []),
    ...(isCensored && interval?.high === Infinity ? [noted('ci_high_open')] : []),
  ];
}

/** If the unflagged units are too few for a finding, their direction must agree with the finding. */
function flaggedNotes(interval: PairInterval | null, without: PairTest): readonly Note[] {
  const finding = findingOf(interval);
  if (finding === 'too_few') return [];
  if (without.estimate === null) return [noted('all_flagged')];
  const found = intervalOf(without, CONFIDENCE);
  const end = found ?? { low: without.estimate, high: without.estimate };
  const isSame = findingOf(end) === finding || (found === null && finding === 'undecided');
  return isSame ? [] : [noted('flagged_disagree')];
}

const NEEDS = {
  blocks: 'needs_blocks',
  rounds: 'needs_rounds',
  cells: 'needs_cell_pairs',
} as const;
