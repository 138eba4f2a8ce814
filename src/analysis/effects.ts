import { groupBy } from '../kit/grouping.ts';
import { mean, meanAboveP, meanInterval, meanP, meanUpperBound, sum, type ValueLimits } from '../statistics/mean.ts';
import { tied } from '../statistics/mid-ranks.ts';
import {
  clusteredRiseTest,
  type PairCluster,
  type PairedEvents,
  pairedRiseTest,
  type RiseMethod,
  type RiseTest,
  riseInterval,
  riseP,
} from '../statistics/rise-test.ts';
import { hodgesLehmann, signedRank, walshInterval, walshUpperBound } from '../statistics/signed-rank.ts';
import type { MeanCentre } from './metric.ts';
import type { BlockPair, PairUnit, UnitKind } from './pair-units.ts';

/** A difference in ln of a ratio, or in the metric's unit. */
export interface PairedEffect {
  readonly n: number;
  /** Hodges-Lehmann or mean; null without units, infinite if most units are. */
  readonly estimate: number | null;
  /** An open end is infinite; null for too few units. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Two-sided; null without units. */
  readonly p: number | null;
  readonly method: 'walsh' | 'student';
}

/** @param centre without it: signed ranks and Walsh averages; with it: mean and Student's t */
export function pairedEffect(units: readonly PairUnit[], level: number, centre?: MeanCentre): PairedEffect {
  const differences = units.map(({ difference }) => difference);
  const n = differences.length;
  if (centre !== undefined) {
    const limits = limitsOf(centre);
    const interval = meanInterval(differences, level, limits);
    return { n, estimate: mean(differences), interval, p: meanP(differences, limits), method: 'student' };
  }
  return {
    n,
    estimate: hodgesLehmann(differences),
    interval: walshInterval(differences, level),
    p: n === 0 ? null : signedRank(differences, 'two-sided').p,
    method: 'walsh',
  };
}

export interface LimitTest {
  readonly n: number;
  readonly estimate: number | null;
  /** Of the hypothesis that the difference is at most the limit; null for too few units. */
  readonly p: number | null;
  /** One-sided upper bound; `Infinity` if unbounded, null for too few units. */
  readonly upperBound: number | null;
}

export function testLimit(units: readonly PairUnit[], limit: number, level: number, centre?: MeanCentre): LimitTest {
  const differences = units.map(({ difference }) => difference);
  const n = differences.length;
  if (centre !== undefined) {
    const limits = limitsOf(centre);
    const upperBound = meanUpperBound(differences, level, limits);
    return { n, estimate: mean(differences), p: meanAboveP(differences, limit, limits), upperBound };
  }
  const shifted = differences.map((difference) => tied(difference - limit));
  return {
    n,
    estimate: hodgesLehmann(differences),
    p: n === 0 ? null : signedRank(shifted, 'greater').p,
    upperBound: walshUpperBound(differences, level),
  };
}

function limitsOf({ range }: MeanCentre): ValueLimits {
  return range === null ? null : { low: range[0] - range[1], high: range[1] - range[0] };
}

/** Blocks with both values: the units at concurrency 1. Above it rounds are, because their blocks are dependent. */
export interface RateBlocks {
  readonly events: PairedEvents;
  readonly rounds: readonly PairCluster[];
  readonly missing: number;
}

interface RateEffect {
  readonly n: number;
  /** Over all blocks; null without blocks. */
  readonly difference: number | null;
  /** Null for too few units, as is `p`. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly p: number | null;
  readonly method: RiseMethod;
}

export function countRateBlocks(blocks: readonly BlockPair<boolean>[]): RateBlocks {
  const whole = blocks.flatMap(({ round, baseline, candidate }) =>
    baseline === null || candidate === null ? [] : [{ round, baseline, candidate }],
  );
  const candidateOnly = (some: typeof whole) => some.filter(({ baseline, candidate }) => candidate && !baseline).length;
  const baselineOnly = (some: typeof whole) => some.filter(({ baseline, candidate }) => baseline && !candidate).length;
  return {
    events: { pairs: whole.length, candidateOnly: candidateOnly(whole), baselineOnly: baselineOnly(whole) },
    rounds: [...groupBy(whole, ({ round }) => round).values()].map((members) => ({
      pairs: members.length,
      difference: candidateOnly(members) - baselineOnly(members),
    })),
    missing: blocks.length - whole.length,
  };
}

export function countRateUnits({ events, rounds }: RateBlocks, kind: UnitKind): number {
  return kind === 'rounds' ? rounds.length : events.pairs;
}

/** Tests a rise over blocks or rounds; null for too few of them. */
export function riseTestOf({ events, rounds }: RateBlocks, kind: UnitKind): RiseTest | null {
  return kind === 'rounds' ? clusteredRiseTest(events, rounds) : pairedRiseTest(events);
}

/** The difference of two rates with the interval and p of one test. */
export function rateEffect(blocks: RateBlocks, kind: UnitKind, level: number): RateEffect {
  return { n: countRateUnits(blocks, kind), difference: rateDifference(blocks), ...evidenceOf(blocks, kind, level) };
}

type RateEvidence = Pick<RateEffect, 'interval' | 'p' | 'method'>;

function evidenceOf(blocks: RateBlocks, kind: UnitKind, level: number): RateEvidence {
  const evidence = () => evidenceBy(riseTestOf(blocks, kind), kind, level);
  if (kind === 'rounds') return evidence();
  const { pairs, candidateOnly, baselineOnly } = blocks.events;
  const key = `${pairs} ${candidateOnly} ${baselineOnly} ${level}`;
  const known = cache.get(key) ?? evidence();
  cache.set(key, known);
  return known;
}

const cache = new Map<string, RateEvidence>();

function evidenceBy(test: RiseTest | null, kind: UnitKind, level: number): RateEvidence {
  const method = kind === 'rounds' ? 'tango_clustered' : 'tango_exact';
  if (test === null) return { interval: null, p: null, method };
  return { interval: riseInterval(test, level), p: riseP(test), method: test.method };
}

/** The difference in events within each cell pair; its sign shows which side has more. */
export function eventsByCellPair(blocks: readonly BlockPair<boolean>[]): readonly number[] {
  const whole = blocks.flatMap(({ cellPair, baseline, candidate }) =>
    baseline === null || candidate === null ? [] : [{ cellPair, difference: Number(candidate) - Number(baseline) }],
  );
  return [...groupBy(whole, ({ cellPair }) => cellPair).values()].map((differences) =>
    sum(differences.map(({ difference }) => difference)),
  );
}

/** Rate of the candidate less that of the baseline; null without blocks. */
export function rateDifference({ events: { pairs, candidateOnly, baselineOnly } }: RateBlocks): number | null {
  return pairs === 0 ? null : (candidateOnly - baselineOnly) / pairs;
}

/** |ln ratio| of a share: ln(1 + share) of an increase, -ln(1 - share) of a decrease. `Infinity` from a share of 1. */
export function lnWorsening(worse: 'increase' | 'decrease', share: number): number {
  if (worse === 'increase') return Math.log1p(share);
  return share >= 1 ? Infinity : -Math.log1p(-share);
}
