import { tied } from '../../../statistics/ranks/tied.ts';
import { type LimitTest, testLimit } from '../../effects/paired-effect.ts';
import { EXCLUDED_MULTIPLE, lnWorsening } from '../../effects/worsening.ts';
import type { BlockPair } from '../../pairs/block-pair.ts';
import { type Effect, type Unit, type UnitKind, type Units, unitsOf } from '../../pairs/units.ts';
import type { Decision } from '../verdict.ts';

/*
 * `max_increase` and `max_decrease`: the change for the worse may be no larger than a limit. A fail needs significance above
 * the limit; a pass needs an estimate within it and the exclusion of three times the limit. Between the two nothing is decided.
 */

/** With a larger share of its blocks missing nothing passes. */
export const MOST_MISSING = 0.2;

/** What a change for the worse is held against. */
export interface IncreaseRule {
  readonly effect: Effect;
  readonly units: UnitKind;
  /** `decrease`: lower is worse. */
  readonly worse: 'increase' | 'decrease';
  /** The largest change that is allowed: a share of the baseline for a ratio, else in the metric's unit. Above 0. */
  readonly limit: number;
}

/** What blocks say of a rule. Changes for the worse are positive, as ln of the ratio or in the metric's unit. */
export interface IncreaseEvidence {
  readonly units: Units;
  readonly test: LimitTest;
  /** With every block that the candidate lost counted as worse than all others. */
  readonly strict: LimitTest;
  readonly limit: number;
  /** What a pass must exclude; `Infinity` where nothing can be that bad. */
  readonly excluded: number;
}

/**
 * Tests a rule on blocks.
 *
 * @param alpha of the test, and of the one-sided bound
 */
export function weighIncrease(
  blocks: readonly BlockPair<number>[],
  rule: IncreaseRule,
  alpha: number,
): IncreaseEvidence {
  const limit = worsening(rule, rule.limit);
  const excluded = worsening(rule, EXCLUDED_MULTIPLE * rule.limit);
  const shape = { kind: rule.units, effect: rule.effect };
  const test = ({ units }: Units) => testLimit(units.map(worse), limit, 1 - alpha);
  const worse = ({ key, difference }: Unit): Unit => ({
    key,
    difference: rule.worse === 'increase' ? difference : -difference,
  });
  const units = unitsOf(blocks, shape);
  const tested = test(units);
  const lostAs = rule.worse === 'increase' ? Infinity : -Infinity;
  const strict = units.lost === 0 ? tested : test(unitsOf(blocks, shape, lostAs));
  return { units, test: tested, strict, limit, excluded };
}

/**
 * What a rule decides.
 *
 * @param pAdjusted of the whole gate; null where there is no p
 */
export function decideIncrease(
  { units, test, strict, limit, excluded }: IncreaseEvidence,
  pAdjusted: number | null,
  alpha: number,
): Decision {
  if (pAdjusted !== null && pAdjusted <= alpha) return { verdict: 'fail', code: 'beyond_limit' };
  if (test.n === 0) return { verdict: 'inconclusive', code: 'nothing_to_count' };
  if (test.estimate === null || test.upperBound === null) return { verdict: 'inconclusive', code: 'too_few_units' };
  if (units.missing > MOST_MISSING * units.blocks) return { verdict: 'inconclusive', code: 'too_many_missing' };
  if (isAbove(test.estimate, limit)) return { verdict: 'inconclusive', code: 'not_significant' };
  if (!isAbove(excluded, test.upperBound)) return { verdict: 'inconclusive', code: 'limit_not_excluded' };
  return passes(strict, limit, excluded)
    ? { verdict: 'pass', code: 'within_limit' }
    : { verdict: 'inconclusive', code: 'lost_blocks' };
}

function passes({ estimate, upperBound }: LimitTest, limit: number, excluded: number): boolean {
  return estimate !== null && upperBound !== null && !isAbove(estimate, limit) && isAbove(excluded, upperBound);
}

/** Whether a change is above another by more than a logarithm errs by. */
function isAbove(change: number, other: number): boolean {
  return change > other && tied(change - other) > 0;
}

/** A change for the worse as units hold it: that of a ratio as its logarithm. */
function worsening({ effect, worse }: IncreaseRule, limit: number): number {
  return effect === 'difference' ? limit : lnWorsening(worse, limit);
}
