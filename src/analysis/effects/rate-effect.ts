import { sum } from '../../statistics/mean.ts';
import type { PairedEvents } from '../../statistics/paired-rates.ts';
import {
  clusteredRiseTest,
  type PairCluster,
  pairedRiseTest,
  type RiseMethod,
  type RiseTest,
  riseInterval,
  riseP,
} from '../../statistics/rise-test.ts';
import { groupBy } from '../grouping.ts';
import type { UnitKind } from '../pair-units.ts';
import type { BlockPair } from './block-pair.ts';

/** Blocks with both values: the units at concurrency 1. Above it rounds are, because their blocks are dependent. */
export interface RateBlocks {
  readonly events: PairedEvents;
  readonly rounds: readonly PairCluster[];
  readonly missing: number;
}

export interface RateEffect {
  readonly n: number;
  /** Over all blocks; null without blocks. */
  readonly difference: number | null;
  /** Null for too few units, as is `p`. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Two-sided. */
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
  return {
    n: countRateUnits(blocks, kind),
    difference: rateDifference(blocks),
    ...evidenceOf(blocks, kind, level),
  };
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
