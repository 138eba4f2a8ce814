import { isOfLatencies, type Metric } from '../../analysis/metric.ts';
import { type UnitKind, unitKindOfReading } from '../../analysis/pair-units.ts';
import { declaredDifference, declaredWords, threeDigits, times } from '../../kit/value-words.ts';
import { largestSlice, takesOfCell } from '../../plan/plan.ts';
import { detectableShift, POWER } from '../../statistics/detectable-shift.ts';
import { FEWEST_FOR_MEAN } from '../../statistics/mean.ts';
import { fewestForSignedRank } from '../../statistics/signed-rank.ts';
import type { Bound, GateRule } from '../../suite/rule.ts';
import { SCORE_PREFIX } from '../../suite/score-label.ts';
import { type KeyedFault, metricOf, readingOf, takeReadingOf, zeroLimit } from '../deciding/rule-statistic.ts';
import { countUnits, neverFault, type Planning, type Reach, UNKNOWN } from '../planned-reach.ts';
import type { BoundKind, BoundWords, SaidOf } from './bound-kind.ts';
import { type WorseLimit, worsening } from './worsening.ts';

/* `max_increase` and `max_decrease`: of a value, as a share of the baseline or in the unit of the metric. */

export function change(bound: Extract<Bound, { readonly is: 'max_increase' | 'max_decrease' }>): BoundKind {
  const limit: WorseLimit = {
    worse: bound.is === 'max_increase' ? 'increase' : 'decrease',
    ...('share' in bound ? { of: 'share', size: bound.share } : { of: 'amount', size: bound.amount }),
  };
  return {
    ...worsening(limit),
    drifts: isOfLatencies,
    words: (of) => changeWords(limit, of),
    faults: (rule, { metrics }) => changeFaults(rule, limit, metricOf(rule, metrics)),

    plan: (planning) => {
      const { ruleCase, takes, gate, alpha, comparisons } = planning;
      const reading = takeReadingOf(ruleCase.rule, metricOf(ruleCase.rule, gate.metrics));
      const units = unitKindOfReading(reading, gate.load);
      const n = countUnits(takes, units);
      const needs = reading.centre === undefined ? fewestForSignedRank(alpha / comparisons) : FEWEST_FOR_MEAN;
      const fault = neverFault(planning, units, n, { fails: (some) => some >= needs });
      return { units, n, reach: fault === null ? reachOf(planning, limit, units, n) : UNKNOWN, fault };
    },
  };
}

function changeFaults(rule: GateRule, { worse, of, size }: WorseLimit, metric: Metric): readonly KeyedFault[] {
  const { is } = rule.bound;
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
  if (reading.effect === 'ratio' && of !== 'share') {
    return refuse(`${name} is compared as a ratio`, 'use a percentage, such as 5%');
  }
  if (reading.effect !== 'ratio' && of === 'share') {
    const remedy = name.startsWith(SCORE_PREFIX)
      ? 'write an amount without a unit, such as 0.02'
      : 'use an amount in its unit, such as 20ms, or max_rise for a rate';
    return refuse(`${name} may be 0, so a change of it is not a percentage`, remedy);
  }
  return size > 0 ? [] : [zeroLimit(is)];
}

function changeWords({ worse, of, size }: WorseLimit, { metric, unit }: SaidOf): BoundWords {
  const by = (words: string) => `may ${worse} by at most ${words}`;
  if (of === 'amount' && metric.startsWith(SCORE_PREFIX)) {
    const clause = by(declaredDifference(size, unit).slice('+'.length));
    return { limit: clause, isClause: true, clause, change: worse };
  }
  const [side, signed] = worse === 'increase' ? (['most', size] as const) : (['least', -size] as const);
  const isRatio = of === 'share';
  return {
    limit: `at ${side} ${isRatio ? times(1 + signed) : declaredDifference(signed, unit)}`,
    isRatio,
    clause: by(isRatio ? `${threeDigits(size * 100)} %` : declaredWords(size, unit)),
    change: worse,
  };
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

/** Assumed standard deviation of ln latency without an earlier run: sqrt(ln(1 + 0.15^2)), from a variation of 15 %. */
export const ASSUMED_SPREAD = Math.sqrt(Math.log1p(0.15 * 0.15));

/**
 * The change that fails in 4 of 5 runs, by the assumed spread. A block has the spread of two takes; any other unit that
 * of the median over its blocks: of two half the variance, of more pi / 2 of the mean's (exact for many, 5 % high for
 * three).
 */
function reachOf(
  { gate, alpha, comparisons }: Planning,
  { worse, of, size }: WorseLimit,
  units: UnitKind,
  n: number,
): Reach {
  if (of === 'amount') return UNKNOWN;
  const { repeats, load, plan } = gate;
  const blocks = {
    blocks: 1,
    rounds: Math.min(2 * load.concurrency, largestSlice(plan)),
    cells: takesOfCell(repeats, plan.looks),
  }[units];
  const inflation = blocks <= 2 ? 1 / blocks : Math.PI / 2 / blocks;
  const spread = Math.SQRT2 * ASSUMED_SPREAD * Math.sqrt(inflation);
  const shift = detectableShift(n, alpha / comparisons, POWER);
  if (shift === null) return UNKNOWN;
  const beyond = worse === 'increase' ? Math.log1p(size) : -Math.log1p(-size);
  const ln = beyond + shift * spread;
  return { can: 'detect_change', ratio: Math.exp(worse === 'increase' ? ln : -ln), spread };
}
