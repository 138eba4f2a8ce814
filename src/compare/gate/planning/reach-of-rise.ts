import { inverseRegularisedBeta } from '../../../statistics/distributions/beta.ts';
import { firstWhere } from '../../../statistics/samples/first-where.ts';
import type { RateBlocks } from '../../effects/rate-effect.ts';
import type { UnitKind } from '../../pairs/units.ts';
import { isExcluded, pBeyond } from '../weighing/rise.ts';
import { fewestWhere } from './fewest-where.ts';

/** A rule with `max_rise`, and the blocks that it will stand on. */
export interface PlannedRise {
  /** In shares. */
  readonly limit: number;
  readonly kind: UnitKind;
  /** Rounds, or the blocks themselves. */
  readonly units: number;
  readonly blocks: number;
  readonly alpha: number;
  /** Of the gate, which share the error rate of a fail. */
  readonly comparisons: number;
  readonly power: number;
}

/** What such a rule can tell. */
export interface RiseReach {
  /** Even the best, or the worst, outcome decides nothing. */
  readonly never: 'cannot_pass' | 'cannot_fail' | null;
  /** The fewest units that would do; null where no number would, or these do. */
  readonly needs: number | null;
  /** The smallest rise that fails with probability `power`; null where none does. */
  readonly rise: number | null;
}

/**
 * It passes at best with no event at all, and fails at best with every block risen. What it detects is told for a baseline
 * without events, where only the number of the candidate's counts.
 */
export function reachOfRise({ limit, kind, units, blocks, alpha, comparisons, power }: PlannedRise): RiseReach {
  const risen = (some: number, events: number) => risenBlocks(some, blocksOf(some), events, kind);
  const blocksOf = (some: number) => (units === 0 ? some : Math.round((blocks / units) * some));
  const passes = (some: number) => isExcluded(risen(some, 0), kind, limit, alpha);
  const isBeyond = (some: number, events: number) =>
    (pBeyond(risen(some, events), kind, limit) ?? 1) <= alpha / comparisons;
  const fails = (some: number) => isBeyond(some, blocksOf(some));
  const rise = fails(units)
    ? riseWith(
        firstWhere(0, blocks, (events) => isBeyond(units, events)),
        blocks,
        power,
      )
    : null;
  if (!passes(units)) return { never: 'cannot_pass', needs: fewestWhere(passes), rise };
  return fails(units) ? { never: null, needs: null, rise } : { never: 'cannot_fail', needs: fewestWhere(fails), rise };
}

/** The rise at which blocks have at least so many events with a probability. */
function riseWith(events: number, blocks: number, probability: number): number {
  return inverseRegularisedBeta(probability, events, blocks - events + 1);
}

/** Blocks with so many events, all of the candidate alone, spread evenly over rounds. */
function risenBlocks(units: number, pairs: number, events: number, kind: UnitKind): RateBlocks {
  const share = (whole: number, at: number) =>
    Math.floor((whole * (at + 1)) / units) - Math.floor((whole * at) / units);
  const rounds = Array.from({ length: kind === 'rounds' ? units : 0 }, (_, at) => ({
    pairs: share(pairs, at),
    difference: share(events, at),
  }));
  return { events: { pairs, candidateOnly: events, baselineOnly: 0 }, rounds, missing: 0 };
}
