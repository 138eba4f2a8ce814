import type { MeanCentre, TakeReading } from '../../analysis/metric.ts';
import {
  type BlockPair,
  type LostAs,
  lnWorsening,
  missesTooMany,
  readBlocks,
  shownDifference,
  type UnitKind,
  unitKindOfReading,
} from '../../analysis/pair-units.ts';
import { type TestedAs, type TestedBlocks, testBlocks } from '../../analysis/tested-blocks.ts';
import { detectableShift, POWER } from '../../statistics/detectable-shift.ts';
import { detectableMean, standardDeviation } from '../../statistics/mean.ts';
import { tied } from '../../statistics/mid-ranks.ts';
import { intervalOf, reversed } from '../../statistics/pair-test.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { isOfOutputs, metricOf, takeReadingOf } from '../deciding/rule-statistic.ts';
import { pairsOf } from '../deciding/weighing.ts';
import { ERROR_RATE, EXCLUDED_MULTIPLE } from '../planned-reach.ts';
import type { Decision, Detectable } from '../verdict.ts';
import type { BoundKind } from './bound-kind.ts';

/*
 * `max_increase`, `max_decrease` and `max_rise`: the change for the worse may be no larger than a limit. A fail needs
 * significance above the limit; a pass needs an estimate within it and the exclusion of three times the limit. Between
 * the two nothing is decided.
 */

/** The largest allowed change for the worse: a share of the baseline, or an amount in the metric's unit. */
export interface WorseLimit {
  readonly worse: 'increase' | 'decrease';
  readonly of: 'share' | 'amount';
  readonly size: number;
}

export function worsening(
  limit: WorseLimit,
): Pick<BoundKind, 'allows' | 'comparesVariants' | 'usesEstimate' | 'lookPart' | 'weigh' | 'event'> {
  const { worse, of, size } = limit;
  const same = of === 'share' ? 1 : 0;
  return {
    allows: worse === 'increase' ? { low: -Infinity, high: same + size } : { low: same - size, high: Infinity },
    comparesVariants: true,
    usesEstimate: true,
    event: null,

    // Outputs are scored after all measuring.
    lookPart: (rule, metrics) => (isOfOutputs(rule, metrics) ? 'whole' : 'each_look'),

    weigh: (ruleCase, grounds, kept, alphaOfLook) => {
      const { rule } = ruleCase;
      const metric = metricOf(rule, grounds.metrics);
      const reading = takeReadingOf(rule, metric);
      const { effect, centre, outputUnits } = reading;
      // A rule decided once does not split its error rate over looks.
      const alpha = outputUnits === undefined ? alphaOfLook : ERROR_RATE;
      const kind = unitKindOfReading(reading, grounds.load);
      const blocks = readBlocks(pairsOf(ruleCase, metric, grounds, kept), reading);
      const evidence = weighChange(blocks, { effect, centre, kind, worse, limit: size }, alpha);
      const { test, censored, missing, units } = evidence.tested;
      const shown = (difference: number | null) => shownDifference(difference, { effect, censored });
      const interval = intervalOf(test, CONFIDENCE);
      const { upperBound } = evidence.found;
      return {
        p: evidence.p,
        decide: (pAdjusted) => decideChange(evidence, pAdjusted, alpha),
        effect: effect === 'ratio' ? 'ratio' : 'difference',
        unit: effect === 'ratio' ? '1' : metric.unit,
        estimate: shown(test.estimate),
        ciLow: shown(interval?.low ?? null),
        ciHigh: shown(interval?.high ?? null),
        upperBound: shown(upperBound === null || worse === 'increase' ? upperBound : -upperBound),
        boundLevel: 1 - alpha,
        n: test.n,
        needs: null,
        units: countedUnits(reading, kind),
        missingPairs: missing,
        detectableAt: (part) =>
          effect === 'rate'
            ? null
            : detectableAt(
                limit,
                units.map(({ difference }) => difference),
                outputUnits === undefined ? part : (part * ERROR_RATE) / alphaOfLook,
                centre,
              ),
        worst: null,
      };
    },
  };
}

/** Events of takes are counted in blocks, or in rounds where blocks share them. */
export function countedUnits({ effect, outputUnits }: TakeReading, kind: UnitKind): UnitKind {
  return effect === 'rate' && outputUnits === undefined && kind !== 'rounds' ? 'blocks' : kind;
}

export interface LimitedChange extends TestedAs {
  readonly worse: 'increase' | 'decrease';
  /** The largest allowed change, above 0: a share of the baseline for a ratio, else in the metric's unit. */
  readonly limit: number;
}

/** A change for the worse is positive: ln of the ratio, or in the metric's unit. */
interface ChangeEvidence {
  readonly tested: TestedBlocks;
  /** That the change is within the limit; null for too few units. */
  readonly p: number | null;
  readonly found: Worsened;
  /** Counts every block that the candidate lost as worse than all others. */
  readonly strict: Worsened;
  readonly limit: number;
  /** The change that a pass must exclude; `Infinity` if none can be that large. */
  readonly excluded: number;
}

interface Worsened {
  readonly estimate: number | null;
  /** One-sided; `Infinity` if unbounded, null for too few units. */
  readonly upperBound: number | null;
}

/** `alpha`: of both tests. */
export function weighChange(blocks: readonly BlockPair[], change: LimitedChange, alpha: number): ChangeEvidence {
  const tested = testBlocks(blocks, change);
  const forWorse = ({ test }: TestedBlocks) => (change.worse === 'increase' ? test : reversed(test));
  const worsened = (some: TestedBlocks): Worsened => {
    const { estimate, upper } = forWorse(some);
    return { estimate, upperBound: upper(1 - alpha) };
  };
  const found = worsened(tested);
  const lostAs = lostAsIn(change);
  const limit = sizeOf(change, change.limit);
  return {
    tested,
    p: forWorse(tested).greater(limit),
    found,
    strict: tested.lost === 0 ? found : lostAs === null ? UNBOUNDED : worsened(testBlocks(blocks, change, lostAs)),
    limit,
    excluded: sizeOf(change, EXCLUDED_MULTIPLE * change.limit),
  };
}

/** The value of a lost block: worse than all others, or for a mean the worst of its range. Null without a range. */
function lostAsIn({ effect, worse, centre }: LimitedChange): LostAs | null {
  if (effect !== 'rate' && centre === undefined) return () => (worse === 'increase' ? Infinity : -Infinity);
  const range = effect === 'rate' ? SHARES : (centre?.range ?? null);
  return range && ((baseline) => (worse === 'increase' ? range[1] : range[0]) - baseline);
}

const SHARES = [0, 1] as const;

const UNBOUNDED: Worsened = { estimate: null, upperBound: null };

function sizeOf({ effect, worse }: Pick<LimitedChange, 'effect' | 'worse'>, limit: number): number {
  if (effect === 'ratio') return lnWorsening(worse, limit);
  // No rate rises by 100 points.
  return effect === 'rate' && limit >= 1 ? Infinity : limit;
}

/** `pAdjusted`: over the whole gate; null without a test. */
export function decideChange(evidence: ChangeEvidence, pAdjusted: number | null, alpha: number): Decision {
  const { tested, found, strict, limit, excluded } = evidence;
  const { estimate, upperBound } = found;
  if (pAdjusted !== null && pAdjusted <= alpha) return { verdict: 'fail', code: 'beyond_limit' };
  if (tested.test.n === 0) return { verdict: 'inconclusive', code: 'nothing_to_count' };
  if (estimate === null || upperBound === null) return { verdict: 'inconclusive', code: 'too_few_units' };
  if (missesTooMany(tested)) return { verdict: 'inconclusive', code: 'too_many_missing' };
  if (isAbove(estimate, limit)) return { verdict: 'inconclusive', code: 'not_significant' };
  if (!isAbove(excluded, upperBound)) return { verdict: 'inconclusive', code: 'limit_not_excluded' };
  const isSure = strict.estimate !== null && strict.upperBound !== null;
  return isSure && !isAbove(strict.estimate, limit) && isAbove(excluded, strict.upperBound)
    ? { verdict: 'pass', code: 'within_limit' }
    : { verdict: 'inconclusive', code: 'lost_blocks' };
}

/** Ignores differences within the rounding error of a logarithm. */
function isAbove(change: number, other: number): boolean {
  return change > other && tied(change - other) > 0;
}

/** The change that this number of units would find in 4 of 5 runs, given the measured spread. */
function detectableAt(
  { worse, of, size }: WorseLimit,
  differences: readonly number[],
  alpha: number,
  centre: MeanCentre | undefined,
): Detectable | null {
  const spread = differences.every(Number.isFinite) ? standardDeviation(differences) : null;
  const shift = (centre === undefined ? detectableShift : detectableMean)(differences.length, alpha, POWER);
  if (spread === null || shift === null) return null;
  const sign = worse === 'increase' ? 1 : -1;
  const effect = of === 'amount' ? sign * (size + shift * spread) : (1 + sign * size) * Math.exp(sign * shift * spread);
  return { effect, spread, assumed: false };
}
