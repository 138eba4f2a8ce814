import { type LimitTest, lnWorsening, pairedEffect, testLimit } from '../../analysis/effects.ts';
import { isOfLatencies, type MeanCentre, type Metric, type ValueReading } from '../../analysis/metric.ts';
import {
  type BlockPair,
  type Combining,
  missesTooMany,
  type PairUnit,
  readBlocks,
  shownDifference,
  type UnitKind,
  type Units,
  unitKindOfReading,
  unitsOf,
} from '../../analysis/pair-units.ts';
import { declaredDifference, declaredWords, threeDigits, times, type Unit } from '../../kit/value-words.ts';
import { largestSlice, takesOfCell } from '../../plan/plan.ts';
import { detectableShift } from '../../statistics/detectable-shift.ts';
import { detectableMean, FEWEST_FOR_MEAN, standardDeviation } from '../../statistics/mean.ts';
import { tied } from '../../statistics/mid-ranks.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { fewestForSignedRank } from '../../statistics/signed-rank.ts';
import type { Load } from '../../suite/load.ts';
import type { Bound, GateRule } from '../../suite/rule.ts';
import { SCORE_PREFIX } from '../../suite/score-label.ts';
import { isOfOutputs, type KeyedFault, metricOf, readingOf, zeroLimit } from '../deciding/rule-statistic.ts';
import { pairsOf } from '../deciding/weighing.ts';
import {
  countUnits,
  ERROR_RATE,
  EXCLUDED_MULTIPLE,
  neverFault,
  type Planning,
  POWER,
  type Reach,
  UNKNOWN,
} from '../planned-reach.ts';
import type { Decision, Detectable } from '../verdict.ts';
import type { BoundKind, DeclaredBounds } from './bound-kind.ts';

/*
 * `max_increase` and `max_decrease`: the change for the worse may be no larger than a limit. A fail needs significance
 * above the limit; a pass needs an estimate within it and the exclusion of three times the limit. Between the two
 * nothing is decided.
 */

export const change: BoundKind = {
  takesScope: true,
  drifts: isOfLatencies,
  // Outputs are scored after all measuring.
  lookPart: (rule, metrics) => (isOfOutputs(rule, metrics) ? 'whole' : 'each_look'),
  isBeyond: (bound, estimate) => {
    const { worse, limit } = changeOf(bound);
    if (limit.of === 'amount') return worse === 'increase' ? estimate > limit.size : estimate < -limit.size;
    return worse === 'increase' ? estimate > 1 + limit.size : estimate < 1 - limit.size;
  },

  faults: (rule, { metrics }) => {
    const { is } = rule.bound;
    const { worse, limit } = changeOf(rule.bound);
    const metric = metricOf(rule, metrics);
    const { name, better } = metric;
    const reading = readingOf(rule, metric);
    if (reading === undefined) return [notCompared(rule, metric)];
    const refuse = (cause: string, remedy: string): readonly KeyedFault[] => [{ key: is, cause, remedy }];
    if (reading.effect === 'rate') {
      return refuse(`${name} is a share of events, which rises in points`, 'write max_rise: 5%');
    }
    if (worse === 'increase' ? better === 'higher' : better === 'lower') {
      return refuse(`a ${better} ${name} is better`, `use ${better === 'higher' ? 'max_decrease' : 'max_increase'}`);
    }
    if (reading.effect === 'ratio' && limit.of !== 'share') {
      return refuse(`${name} is compared as a ratio`, 'use a percentage, such as 5%');
    }
    if (reading.effect !== 'ratio' && limit.of === 'share') {
      const remedy = name.startsWith(SCORE_PREFIX)
        ? 'write an amount without a unit, such as 0.02'
        : 'use an amount in its unit, such as 20ms, or max_rise for a rate';
      return refuse(`${name} may be 0, so a change of it is not a percentage`, remedy);
    }
    return limit.size > 0 ? [] : [zeroLimit(is)];
  },

  plan: (planning) => {
    const { ruleCase, takes, gate, alpha, comparisons } = planning;
    const reading = changeReadingOf(ruleCase.rule, metricOf(ruleCase.rule, gate.metrics));
    const units = unitsOfRule(ruleCase.rule, reading, gate.load);
    const n = countUnits(takes, units);
    const needs = reading.centre === undefined ? fewestForSignedRank(alpha / comparisons) : FEWEST_FOR_MEAN;
    const fault = neverFault(planning, units, n, { fails: (some) => some >= needs });
    return { units, n, reach: fault === null ? reachOf(planning, units, n) : UNKNOWN, fault };
  },

  weigh: (ruleCase, grounds, kept, alphaOfLook) => {
    const { rule } = ruleCase;
    const metric = metricOf(rule, grounds.metrics);
    const reading = changeReadingOf(rule, metric);
    const { effect, centre } = reading;
    // A rule decided once does not split its error rate over looks.
    const alpha = reading.outputUnits === undefined ? alphaOfLook : ERROR_RATE;
    const { worse, limit } = changeOf(rule.bound);
    const units = unitsOfRule(rule, reading, grounds.load);
    const blocks = readBlocks(pairsOf(ruleCase, metric, grounds, kept), reading);
    const evidence = weighIncrease(blocks, { effect, centre, units, worse, limit: limit.size }, alpha);
    const differences = unitsOf(blocks, { kind: units, effect, centre }).units;
    const tested = pairedEffect(differences, CONFIDENCE, centre);
    const { censored } = evidence.units;
    const shown = (difference: number | null) => shownDifference(difference, { effect, censored });
    const { upperBound } = evidence.test;
    const farEnd = upperBound === null || worse === 'increase' ? upperBound : -upperBound;
    return {
      p: evidence.test.p,
      decide: (pAdjusted) => decideIncrease(evidence, pAdjusted, alpha),
      effect,
      unit: effect === 'ratio' ? '1' : metric.unit,
      estimate: shown(tested.estimate),
      ciLow: shown(tested.interval?.low ?? null),
      ciHigh: shown(tested.interval?.high ?? null),
      upperBound: shown(farEnd),
      boundLevel: 1 - alpha,
      n: tested.n,
      needs: null,
      units,
      missingPairs: evidence.units.missing,
      detectableAt: (part) =>
        detectableAt(
          rule.bound,
          differences.map(({ difference }) => difference),
          reading.outputUnits === undefined ? part : (part * ERROR_RATE) / alphaOfLook,
          centre,
        ),
      worst: null,
    };
  },
};

export const CHANGE_BOUNDS: DeclaredBounds<'max_increase' | 'max_decrease'> = {
  max_increase: {
    kind: change,
    words: {
      side: 'most',
      limit: (bound, unit) =>
        `at most ${'share' in bound ? times(1 + bound.share) : declaredDifference(bound.amount, unit)}`,
      clause: (bound, unit) => `may increase by at most ${sizeWords(bound, unit)}`,
      isRatio: (bound) => 'share' in bound,
    },
  },
  max_decrease: {
    kind: change,
    words: {
      side: 'least',
      limit: (bound, unit) =>
        `at least ${'share' in bound ? times(1 - bound.share) : declaredDifference(-bound.amount, unit)}`,
      clause: (bound, unit) => `may decrease by at most ${sizeWords(bound, unit)}`,
      isRatio: (bound) => 'share' in bound,
    },
  },
};

function sizeWords(bound: { readonly share: number } | { readonly amount: number }, unit: Unit): string {
  return 'share' in bound ? `${threeDigits(bound.share * 100)} %` : declaredWords(bound.amount, unit);
}

/** A statistic that no take has, such as a tail quantile, or a metric that is not read from takes. */
function notCompared({ statistic }: GateRule, metric: Metric): KeyedFault {
  if (statistic === null || metric.takes === undefined) {
    const cause = `${metric.name} has no value for a single take, so variants cannot be compared by it`;
    return { key: 'metric', cause, remedy: 'use max or min' };
  }
  const cause = `${statistic} of two variants cannot be compared block by block`;
  const remedy = 'use max or min with this statistic, or slow_rate with over and max_rise';
  return { key: 'statistic', cause, remedy };
}

/** The change for the worse that a bound limits, as a share of the baseline or an amount in the metric's unit. */
export function changeOf(bound: Bound): {
  readonly worse: 'increase' | 'decrease';
  readonly limit: { readonly of: 'share' | 'amount'; readonly size: number };
} {
  if (bound.is !== 'max_increase' && bound.is !== 'max_decrease')
    throw new Error(`${bound.is} is no bound of a change`);
  return {
    worse: bound.is === 'max_increase' ? 'increase' : 'decrease',
    limit: 'share' in bound ? { of: 'share', size: bound.share } : { of: 'amount', size: bound.amount },
  };
}

function unitsOfRule({ scope }: Pick<GateRule, 'scope'>, reading: ValueReading, load: Load): UnitKind {
  return scope === 'prompts' ? 'prompts' : unitKindOfReading(reading, load);
}

export function changeReadingOf(rule: Parameters<typeof readingOf>[0], metric: Metric): ValueReading {
  const reading = readingOf(rule, metric);
  if (reading === undefined || reading.effect === 'rate') {
    throw new Error(`${metric.name} does not read a value of each take: the suite should have been refused`);
  }
  return reading;
}

export interface IncreaseRule extends Combining {
  readonly units: UnitKind;
  readonly worse: 'increase' | 'decrease';
  /** The largest allowed change, above 0: a share of the baseline for a ratio, else in the metric's unit. */
  readonly limit: number;
}

/** Changes for the worse are positive: ln of the ratio, or in the metric's unit. */
interface IncreaseEvidence {
  readonly units: Units;
  readonly test: LimitTest;
  /** Counts every block that the candidate lost as worse than all others. */
  readonly strict: LimitTest;
  readonly limit: number;
  /** The change that a pass must exclude; `Infinity` if none can be that large. */
  readonly excluded: number;
}

export function weighIncrease(
  blocks: readonly BlockPair<number>[],
  rule: IncreaseRule,
  alpha: number,
): IncreaseEvidence {
  const limit = worsening(rule, rule.limit);
  const excluded = worsening(rule, EXCLUDED_MULTIPLE * rule.limit);
  const shape = { kind: rule.units, effect: rule.effect, centre: rule.centre };
  const test = ({ units }: Units) => testLimit(units.map(worse), limit, 1 - alpha, rule.centre);
  const worse = ({ key, difference }: PairUnit): PairUnit => ({
    key,
    difference: rule.worse === 'increase' ? difference : -difference,
  });
  const units = unitsOf(blocks, shape);
  const tested = test(units);
  const lostAs = lostAsIn(rule);
  const strict = units.lost === 0 ? tested : lostAs === null ? UNBOUNDED : test(unitsOf(blocks, shape, lostAs));
  return { units, test: tested, strict, limit, excluded };
}

/** The value of a lost block: worse than all others, or for a mean the worst of its range. Null without a range. */
function lostAsIn({ worse, centre }: IncreaseRule): ((baseline: number) => number) | null {
  if (centre === undefined) return () => (worse === 'increase' ? Infinity : -Infinity);
  const { range } = centre;
  if (range === null) return null;
  return (baseline) => (worse === 'increase' ? range[1] : range[0]) - baseline;
}

const UNBOUNDED: LimitTest = { n: 0, estimate: null, p: null, upperBound: null };

/** `pAdjusted`: over the whole gate; null without a test. */
export function decideIncrease(
  { units, test, strict, limit, excluded }: IncreaseEvidence,
  pAdjusted: number | null,
  alpha: number,
): Decision {
  if (pAdjusted !== null && pAdjusted <= alpha) return { verdict: 'fail', code: 'beyond_limit' };
  if (test.n === 0) return { verdict: 'inconclusive', code: 'nothing_to_count' };
  if (test.estimate === null || test.upperBound === null) return { verdict: 'inconclusive', code: 'too_few_units' };
  if (missesTooMany(units)) return { verdict: 'inconclusive', code: 'too_many_missing' };
  if (isAbove(test.estimate, limit)) return { verdict: 'inconclusive', code: 'not_significant' };
  if (!isAbove(excluded, test.upperBound)) return { verdict: 'inconclusive', code: 'limit_not_excluded' };
  return passes(strict, limit, excluded)
    ? { verdict: 'pass', code: 'within_limit' }
    : { verdict: 'inconclusive', code: 'lost_blocks' };
}

function passes({ estimate, upperBound }: LimitTest, limit: number, excluded: number): boolean {
  return estimate !== null && upperBound !== null && !isAbove(estimate, limit) && isAbove(excluded, upperBound);
}

/** Ignores differences within the rounding error of a logarithm. */
function isAbove(change: number, other: number): boolean {
  return change > other && tied(change - other) > 0;
}

function worsening({ effect, worse }: IncreaseRule, limit: number): number {
  return effect === 'difference' ? limit : lnWorsening(worse, limit);
}

/** The change that this number of units would find in 4 of 5 runs, given the measured spread. */
function detectableAt(
  bound: Bound,
  differences: readonly number[],
  alpha: number,
  centre: MeanCentre | undefined,
): Detectable | null {
  const spread = differences.every(Number.isFinite) ? standardDeviation(differences) : null;
  const shift = (centre === undefined ? detectableShift : detectableMean)(differences.length, alpha, POWER);
  if (spread === null || shift === null) return null;
  const { worse, limit } = changeOf(bound);
  const sign = worse === 'increase' ? 1 : -1;
  const effect =
    limit.of === 'amount'
      ? sign * (limit.size + shift * spread)
      : (1 + sign * limit.size) * Math.exp(sign * shift * spread);
  return { effect, spread, assumed: false };
}

/** Assumed standard deviation of ln latency without an earlier run: sqrt(ln(1 + 0.15^2)), from a variation of 15 %. */
const ASSUMED_SPREAD = Math.sqrt(Math.log1p(0.15 * 0.15));

/**
 * The change that fails in 4 of 5 runs, by the assumed spread. A block has the spread of two takes; any other unit that
 * of the median over its blocks: of two half the variance, of more pi / 2 of the mean's (exact for many, 5 % high for
 * three).
 */
function reachOf({ ruleCase, gate, alpha, comparisons }: Planning, units: UnitKind, n: number): Reach {
  const { worse, limit } = changeOf(ruleCase.rule.bound);
  if (limit.of === 'amount') return UNKNOWN;
  const { repeats, load, plan } = gate;
  const blocks = {
    blocks: 1,
    rounds: Math.min(2 * load.concurrency, largestSlice(plan)),
    cells: takesOfCell(repeats, plan.looks),
    prompts: takesOfCell(repeats, plan.looks),
  }[units];
  const inflation = blocks <= 2 ? 1 / blocks : Math.PI / 2 / blocks;
  const spread = Math.SQRT2 * ASSUMED_SPREAD * Math.sqrt(inflation);
  const shift = detectableShift(n, alpha / comparisons, POWER);
  if (shift === null) return UNKNOWN;
  const beyond = worse === 'increase' ? Math.log1p(limit.size) : -Math.log1p(-limit.size);
  const ln = beyond + shift * spread;
  return { can: 'detect_change', ratio: Math.exp(worse === 'increase' ? ln : -ln), spread };
}
