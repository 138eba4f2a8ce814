import {
  countRateBlocks,
  countRateUnits,
  type RateBlocks,
  rateDifference,
  rateEffect,
  riseTestOf,
} from '../../analysis/effects.ts';
import type { EventReading, Metric, PairReading } from '../../analysis/metric.ts';
import {
  type BlockPair,
  missesTooMany,
  readEvents,
  type UnitKind,
  unitKindOfReading,
} from '../../analysis/pair-units.ts';
import { declaredDifference, threeDigits } from '../../kit/value-words.ts';
import { inverseRegularisedBeta } from '../../statistics/distributions.ts';
import { firstWhere } from '../../statistics/first-where.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { riseUpper } from '../../statistics/rise-test.ts';
import type { Bound, GateRule } from '../../suite/rule.ts';
import { isOfOutputs, metricOf, readingOf, zeroLimit } from '../deciding/rule-statistic.ts';
import { pairsOf, UNTESTED } from '../deciding/weighing.ts';
import {
  countUnits,
  ERROR_RATE,
  EXCLUDED_MULTIPLE,
  neverFault,
  type PlannedBound,
  type Planning,
  POWER,
  type Reach,
  UNKNOWN,
} from '../planned-reach.ts';
import type { Decision } from '../verdict.ts';
import type { BoundKind, DeclaredBounds } from './bound-kind.ts';

/*
 * `max_rise`: a rate may rise by no more than a limit, in shares. Decided as an increase is: a fail needs significance,
 * a pass the exclusion of three times the limit.
 */

const rise: BoundKind = {
  takesScope: false,
  // An output does not depend on the speed of the service.
  drifts: ({ takes = [] }) => takes.every(({ outputUnits }) => outputUnits === undefined),
  lookPart: (rule, metrics) => (isOfOutputs(rule, metrics) ? 'whole' : 'each_look'),
  isBeyond: (bound, estimate) => estimate > limitOf(bound),

  faults: (rule, { metrics }) => {
    const metric = metricOf(rule, metrics);
    if (readingOf(rule, metric)?.effect !== 'rate') {
      return [{ key: 'metric', cause: `${metric.name} is not a rate`, remedy: 'use max_increase or max' }];
    }
    return limitOf(rule.bound) === 0 ? [zeroLimit('max_rise')] : [];
  },

  plan: planRise,

  weigh: (ruleCase, grounds, kept, alphaOfLook) => {
    const { rule } = ruleCase;
    const metric = metricOf(rule, grounds.metrics);
    const reading = riseReadingOf(rule, metric);
    const alpha = reading.outputUnits === undefined ? alphaOfLook : ERROR_RATE;
    const units = unitKindOfReading(reading, grounds.load);
    const blocks = readEvents(pairsOf(ruleCase, metric, grounds, kept), reading);
    const evidence = weighRise(blocks, { units, limit: limitOf(rule.bound) }, alpha);
    const counted = countRateBlocks(blocks);
    const tested = rateEffect(counted, units, CONFIDENCE);
    const test = riseTestOf(counted, units);
    return {
      ...UNTESTED,
      p: evidence.p,
      decide: (pAdjusted) => decideRise(evidence, pAdjusted, alpha),
      effect: 'difference',
      unit: metric.unit,
      estimate: tested.difference,
      ciLow: tested.interval?.low ?? null,
      ciHigh: tested.interval?.high ?? null,
      upperBound: test === null ? null : riseUpper(test, 1 - alpha),
      boundLevel: 1 - alpha,
      n: tested.n,
      units: countedAs(units, reading),
      missingPairs: evidence.missing,
    };
  },
};

export const RISE_BOUNDS: DeclaredBounds<'max_rise'> = {
  max_rise: {
    kind: rise,
    words: {
      side: 'most',
      limit: ({ share }) => `at most ${declaredDifference(share, '1')}`,
      clause: ({ share }) => `may increase by at most ${threeDigits(share * 100)} points`,
    },
  },
};

function riseReadingOf(rule: GateRule, metric: Metric): EventReading | PairReading {
  const reading = readingOf(rule, metric);
  if (reading?.effect !== 'rate') {
    throw new Error(`${metric.name} does not read an event of each take: the suite should have been refused`);
  }
  return reading;
}

/** Events of takes are counted in blocks, or in rounds where blocks share them. */
function countedAs(units: UnitKind, { outputUnits }: EventReading | PairReading): UnitKind {
  return outputUnits ?? (units === 'rounds' ? 'rounds' : 'blocks');
}

function limitOf(bound: Bound): number {
  if (bound.is !== 'max_rise') throw new Error(`${bound.is} is no bound of a rise`);
  return bound.share;
}

export interface RiseRule {
  readonly units: UnitKind;
  /** A share above 0: 0.05 is 5 percentage points. */
  readonly limit: number;
}

interface RiseEvidence {
  readonly blocks: number;
  readonly missing: number;
  readonly n: number;
  /** Rate of the candidate less that of the baseline; null without blocks. */
  readonly rise: number | null;
  /** Of the hypothesis that the rise is within the limit; null for too few units. */
  readonly p: number | null;
  /** Whether three times the limit is excluded; in `strict`, with lost blocks counted as events. */
  readonly excluded: boolean;
  readonly strict: { readonly rise: number | null; readonly excluded: boolean };
  readonly limit: number;
}

/** `alpha`: of both tests. */
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

/** p of a rise within the limit; null for too few units, or for a limit that no rise exceeds. */
function pBeyond(counted: RateBlocks, units: UnitKind, limit: number): number | null {
  return limit >= 1 ? null : (riseTestOf(counted, units)?.greater(limit) ?? null);
}

/** Whether a rise by three times the limit is excluded, as a pass needs. */
function isExcluded(counted: RateBlocks, units: UnitKind, limit: number, alpha: number): boolean {
  // No rise reaches 100 points.
  if (EXCLUDED_MULTIPLE * limit >= 1) return counted.events.pairs > 0;
  const test = riseTestOf(counted, units);
  return test !== null && test.less(EXCLUDED_MULTIPLE * limit) <= alpha;
}

/** `pAdjusted`: over the whole gate; null without a test. */
export function decideRise(evidence: RiseEvidence, pAdjusted: number | null, alpha: number): Decision {
  const { n, rise, excluded, strict, limit } = evidence;
  if (pAdjusted !== null && pAdjusted <= alpha) return { verdict: 'fail', code: 'beyond_limit' };
  if (n === 0 || rise === null) return { verdict: 'inconclusive', code: 'nothing_to_count' };
  if (evidence.p === null && limit < 1) return { verdict: 'inconclusive', code: 'too_few_units' };
  if (missesTooMany(evidence)) return { verdict: 'inconclusive', code: 'too_many_missing' };
  if (rise > limit) return { verdict: 'inconclusive', code: 'not_significant' };
  if (!excluded) return { verdict: 'inconclusive', code: 'limit_not_excluded' };
  return strict.rise !== null && strict.rise <= limit && strict.excluded
    ? { verdict: 'pass', code: 'within_limit' }
    : { verdict: 'inconclusive', code: 'lost_blocks' };
}

/** Best case of a pass: no event; of a fail: only events. The detectable rise assumes a baseline without events. */
function planRise(planning: Planning): PlannedBound {
  const { ruleCase, takes, gate, alpha, comparisons } = planning;
  const limit = limitOf(ruleCase.rule.bound);
  const reading = riseReadingOf(ruleCase.rule, metricOf(ruleCase.rule, gate.metrics));
  const kind = unitKindOfReading(reading, gate.load);
  const units = countedAs(kind, reading);
  const n = countUnits(takes, units);
  const blocks = reading.outputUnits === undefined ? takes.length : n;
  const blocksOf = (some: number) => (n === 0 ? some : Math.round((blocks / n) * some));
  const risen = (some: number, events: number) => risenBlocks(some, blocksOf(some), events, kind);
  const passes = (some: number) => isExcluded(risen(some, 0), kind, limit, alpha);
  const failsWith = (some: number, events: number) =>
    (pBeyond(risen(some, events), kind, limit) ?? 1) <= alpha / comparisons;
  const fails = (some: number) => failsWith(some, blocksOf(some));
  const fewest = () => firstWhere(0, blocks, (events) => failsWith(n, events));
  const reach: Reach = fails(n) ? { can: 'detect_rise', rise: riseWith(fewest(), blocks, POWER) } : UNKNOWN;
  return { units, n, reach, fault: neverFault(planning, units, n, { passes, fails }) };
}

/** The rise at which this number of events or more has the given probability. */
function riseWith(events: number, blocks: number, probability: number): number {
  return inverseRegularisedBeta(probability, events, blocks - events + 1);
}

function risenBlocks(units: number, pairs: number, events: number, kind: UnitKind): RateBlocks {
  const share = (whole: number, at: number) =>
    Math.floor((whole * (at + 1)) / units) - Math.floor((whole * at) / units);
  const rounds = Array.from({ length: kind === 'rounds' ? units : 0 }, (_, at) => ({
    pairs: share(pairs, at),
    difference: share(events, at),
  }));
  return { events: { pairs, candidateOnly: events, baselineOnly: 0 }, rounds, missing: 0 };
}
