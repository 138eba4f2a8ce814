import {
  countRateBlocks,
  countRateUnits,
  type RateBlocks,
  rateDifference,
  riseTestOf,
} from '../../effects/rate-effect.ts';
import { EXCLUDED_MULTIPLE } from '../../effects/worsening.ts';
import type { BlockPair } from '../../pairs/block-pair.ts';
import type { UnitKind } from '../../pairs/units.ts';
import type { Decision } from '../verdict.ts';
import { MOST_MISSING } from './increase.ts';

/*
 * `max_rise`: a rate may rise by no more than a limit, in shares. Decided as an increase is: a fail needs significance, a pass
 * the exclusion of three times the limit.
 */

export interface RiseRule {
  readonly units: UnitKind;
  /** In shares, above 0: 0.05 is 5 percentage points. */
  readonly limit: number;
}

export interface RiseEvidence {
  readonly blocks: number;
  readonly missing: number;
  readonly n: number;
  /** Rate of the candidate less that of the baseline; null of no block. */
  readonly rise: number | null;
  /** That the rise is within the limit; null for too few units. */
  readonly p: number | null;
  /** Whether three times the limit is excluded; of `strict` with what the candidate lost counted as events. */
  readonly excluded: boolean;
  readonly strict: { readonly rise: number | null; readonly excluded: boolean };
  readonly limit: number;
}

/** Tests a rule on blocks. `alpha`: of both tests. */
export function weighRise(
  blocks: readonly BlockPair<boolean>[],
  { units, limit }: RiseRule,
  alpha: number,
): RiseEvidence {
  const counted = countRateBlocks(blocks);
  const withLost = countRateBlocks(
    blocks.map((block) =>
      block.candidate === null && block.baseline !== null ? { ...block, candidate: true } : block,
    ),
  );
  return {
    blocks: blocks.length,
    missing: counted.missing,
    n: countRateUnits(counted, units),
    rise: rateDifference(counted),
    p: pBeyond(counted, units, limit),
    excluded: isExcluded(counted, units, limit, alpha),
    strict: { rise: rateDifference(withLost), excluded: isExcluded(withLost, units, limit, alpha) },
    limit,
  };
}

/** That a rise is within a limit; null for too few units, and of a limit that no rise exceeds. */
export function pBeyond(counted: RateBlocks, units: UnitKind, limit: number): number | null {
  return limit >= 1 ? null : (riseTestOf(counted, units)?.greater(limit) ?? null);
}

/** Whether a rise by three times a limit is excluded, as a pass needs. */
export function isExcluded(counted: RateBlocks, units: UnitKind, limit: number, alpha: number): boolean {
  // A rise by 100 points or more cannot be.
  if (EXCLUDED_MULTIPLE * limit >= 1) return counted.events.pairs > 0;
  const test = riseTestOf(counted, units);
  return test !== null && test.less(EXCLUDED_MULTIPLE * limit) <= alpha;
}

/**
 * What a rule decides.
 *
 * @param pAdjusted of the whole gate; null where there is no p
 */
export function decideRise(evidence: RiseEvidence, pAdjusted: number | null, alpha: number): Decision {
  const { n, rise, excluded, strict, limit } = evidence;
  if (pAdjusted !== null && pAdjusted <= alpha) return { verdict: 'fail', code: 'beyond_limit' };
  if (n === 0 || rise === null) return { verdict: 'inconclusive', code: 'nothing_to_count' };
  if (evidence.p === null && limit < 1) return { verdict: 'inconclusive', code: 'too_few_units' };
  if (evidence.missing > MOST_MISSING * evidence.blocks) return { verdict: 'inconclusive', code: 'too_many_missing' };
  if (rise > limit) return { verdict: 'inconclusive', code: 'not_significant' };
  if (!excluded) return { verdict: 'inconclusive', code: 'limit_not_excluded' };
  return strict.rise !== null && strict.rise <= limit && strict.excluded
    ? { verdict: 'pass', code: 'within_limit' }
    : { verdict: 'inconclusive', code: 'lost_blocks' };
}
