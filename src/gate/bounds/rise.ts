import { type UnitKind, unitKindOfReading } from '../../analysis/pair-units.ts';
import { riseTestOf } from '../../analysis/tested-blocks.ts';
import { declaredDifference } from '../../kit/value-words.ts';
import { POWER } from '../../statistics/detectable-shift.ts';
import { inverseRegularisedBeta } from '../../statistics/distributions.ts';
import { firstWhere } from '../../statistics/first-where.ts';
import type { PairTest } from '../../statistics/pair-test.ts';
import type { Bound } from '../../suite/rule.ts';
import { SCORE_PREFIX } from '../../suite/score-label.ts';
import { metricOf, readingOf, takeReadingOf, zeroLimit } from '../deciding/rule-statistic.ts';
import {
  countUnits,
  EXCLUDED_MULTIPLE,
  neverFault,
  type PlannedBound,
  type Planning,
  type Reach,
  UNKNOWN,
} from '../planned-reach.ts';
import type { BoundKind } from './bound-kind.ts';
import { countedUnits, worsening } from './worsening.ts';

/* `max_rise`: of a rate, in shares. */

export function rise({ share }: Extract<Bound, { readonly is: 'max_rise' }>): BoundKind {
  return {
    ...worsening({ worse: 'increase', of: 'amount', size: share }),
    // An output does not depend on the speed of the service.
    drifts: ({ takes = [] }) => takes.every(({ outputUnits }) => outputUnits === undefined),
    words: ({ metric }) => {
      const points = declaredDifference(share, '1');
      if (!metric.startsWith(SCORE_PREFIX)) {
        const clause = `may increase by at most ${points.slice('+'.length)}`;
        return { limit: `at most ${points}`, clause, change: 'increase' };
      }
      // In so many more pairs a variant may lose than win.
      const limit = `net loss of at most ${points.slice('+'.length)}`;
      return { limit, clause: `may have a ${limit}`, change: 'net loss' };
    },

    faults: (rule, { metrics }) => {
      const metric = metricOf(rule, metrics);
      if (readingOf(rule, metric)?.effect !== 'rate') {
        return [{ key: 'metric', cause: `${metric.name} is not a rate`, remedy: 'use max_increase or max' }];
      }
      return share === 0 ? [zeroLimit('max_rise')] : [];
    },

    plan: (planning) => planRise(planning, share),
  };
}

/** Best case of a pass: no event; of a fail: only events. The detectable rise assumes a baseline without events. */
function planRise(planning: Planning, limit: number): PlannedBound {
  const { ruleCase, takes, gate, alpha, comparisons } = planning;
  const reading = takeReadingOf(ruleCase.rule, metricOf(ruleCase.rule, gate.metrics));
  const kind = unitKindOfReading(reading, gate.load);
  const units = countedUnits(reading, kind);
  const n = countUnits(takes, units);
  const blocks = reading.outputUnits === undefined ? takes.length : n;
  const blocksOf = (some: number) => (n === 0 ? some : Math.round((blocks / n) * some));
  const risen = (some: number, events: number) => risenTest(some, blocksOf(some), events, kind);
  const passes = (some: number) => (risen(some, 0).less(EXCLUDED_MULTIPLE * limit) ?? 1) <= alpha;
  const failsWith = (some: number, events: number) => (risen(some, events).greater(limit) ?? 1) <= alpha / comparisons;
  const fails = (some: number) => failsWith(some, blocksOf(some));
  const fewest = () => firstWhere(0, blocks, (events) => failsWith(n, events));
  const reach: Reach = fails(n) ? { can: 'detect_rise', rise: riseWith(fewest(), blocks, POWER) } : UNKNOWN;
  return { units, n, reach, fault: neverFault(planning, units, n, { passes, fails }) };
}

/** The rise at which this number of events or more has the given probability. */
function riseWith(events: number, blocks: number, probability: number): number {
  return inverseRegularisedBeta(probability, events, blocks - events + 1);
}

function risenTest(units: number, pairs: number, events: number, kind: UnitKind): PairTest {
  const share = (whole: number, at: number) =>
    Math.floor((whole * (at + 1)) / units) - Math.floor((whole * at) / units);
  const rounds = Array.from({ length: kind === 'rounds' ? units : 0 }, (_, at) => ({
    pairs: share(pairs, at),
    candidateOnly: share(events, at),
    baselineOnly: 0,
  }));
  return riseTestOf({ pairs, candidateOnly: events, baselineOnly: 0 }, rounds, kind);
}
