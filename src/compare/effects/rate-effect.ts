import { groupBy } from '../../analysis/grouping.ts';
import { type PairedRates, signedRankOfRates } from '../../statistics/ranks/signed-rank-of-rates.ts';
import { walshInterval } from '../../statistics/ranks/walsh-interval.ts';
import { exactMcNemar } from '../../statistics/rates/mcnemar.ts';
import { type PairedEvents, tangoInterval, tangoTest } from '../../statistics/rates/tango.ts';
import type { BlockPair } from '../pairs/block-pair.ts';
import type { UnitKind } from '../pairs/units.ts';

/**
 * Blocks in which both variants count, by what happened in them. At concurrency 1 they are the units; above it blocks of a
 * round are not independent, and the units are rounds.
 */
export interface RateBlocks {
  readonly events: PairedEvents;
  readonly rounds: readonly PairedRates[];
  /** Blocks in which one side does not count. */
  readonly missing: number;
}

/** What a difference of rates is, in shares: candidate less baseline. */
export interface RateEffect {
  /** Blocks, or rounds. */
  readonly n: number;
  /** Over all blocks; null of none. */
  readonly difference: number | null;
  /** An end may be infinite where it is open; null for too few units. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Of no difference, two-sided: exact McNemar over blocks, or the signed rank test over rounds. Null of no unit. */
  readonly p: number | null;
}

/** The two tests of a rise about a limit. */
export interface RiseTest {
  readonly n: number;
  readonly rise: number | null;
  /** That the rise is at most the limit, and that it is at least the limit; null of no unit. */
  readonly atMost: number | null;
  readonly atLeast: number | null;
}

/** Blocks parted by what happened in them. */
export function countRateBlocks(blocks: readonly BlockPair<boolean>[]): RateBlocks {
  const whole = blocks.flatMap(({ round, baseline, candidate }) =>
    baseline === null || candidate === null ? [] : [{ round, baseline, candidate }],
  );
  const rounds = [...groupBy(whole, ({ round }) => round).values()].map((members): PairedRates => {
    const trials = members.length;
    return {
      candidate: { events: members.filter(({ candidate }) => candidate).length, trials },
      baseline: { events: members.filter(({ baseline }) => baseline).length, trials },
    };
  });
  return {
    events: {
      pairs: whole.length,
      candidateOnly: whole.filter(({ baseline, candidate }) => candidate && !baseline).length,
      baselineOnly: whole.filter(({ baseline, candidate }) => baseline && !candidate).length,
    },
    rounds,
    missing: blocks.length - whole.length,
  };
}

/** The difference of two rates with its interval: Tango's over blocks, that of Walsh averages over rounds. */
export function rateEffect({ events, rounds }: RateBlocks, kind: UnitKind, level: number): RateEffect {
  const difference = riseOf(events);
  if (kind === 'rounds') {
    return {
      n: rounds.length,
      difference,
      interval: walshInterval(rateDifferences(rounds), level),
      p: rounds.length === 0 ? null : signedRankOfRates(rounds, 'two-sided').p,
    };
  }
  const { pairs, candidateOnly, baselineOnly } = events;
  return {
    n: pairs,
    difference,
    interval: tangoInterval(events, level),
    p: pairs === 0 ? null : exactMcNemar(candidateOnly, baselineOnly).twoSided,
  };
}

/** Tests the rise of a rate about a limit, in shares: Tango's score test over blocks, the signed rank test over rounds. */
export function testRise({ events, rounds }: RateBlocks, kind: UnitKind, limit: number): RiseTest {
  const rise = riseOf(events);
  if (kind !== 'rounds') {
    const found = limit < 1 ? tangoTest(events, limit) : null;
    return { n: events.pairs, rise, atMost: found?.greater ?? null, atLeast: found?.less ?? null };
  }
  if (rounds.length === 0) return { n: 0, rise, atMost: null, atLeast: null };
  return {
    n: rounds.length,
    rise,
    atMost: signedRankOfRates(rounds, 'greater', limit).p,
    atLeast: signedRankOfRates(rounds, 'less', limit).p,
  };
}

/** The rate of the candidate less that of the baseline, of each round. */
export function rateDifferences(rounds: readonly PairedRates[]): readonly number[] {
  return rounds.map(
    ({ candidate, baseline }) => candidate.events / candidate.trials - baseline.events / baseline.trials,
  );
}

function riseOf({ pairs, candidateOnly, baselineOnly }: PairedEvents): number | null {
  return pairs === 0 ? null : (candidateOnly - baselineOnly) / pairs;
}
