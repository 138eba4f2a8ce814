import { decideRuns, type HistoryLimit, type RunResult } from '../../analysis/decide-runs.ts';
import {
  cellsOfRun,
  cellValues,
  comparableDigest,
  comparableRuns,
  FEWEST_RUNS,
  isBefore,
} from '../../analysis/earlier-runs.ts';
import type { GateRule } from '../../suite/rule.ts';
import { type KeyedFault, metricOf } from '../deciding/rule-statistic.ts';
import { takesOfCase, UNTESTED, type WeighedCase } from '../deciding/weighing.ts';
import type { BoundKind } from './bound-kind.ts';
import { change } from './change.ts';
import { changeOf, changeReadingOf } from './worsening.ts';

/*
 * `max_increase` and `max_decrease` against earlier runs: this run and the one before together are held against the
 * variant's own runs before them, the spread between runs included.
 */

const NO_RATE: KeyedFault = {
  key: 'max_rise',
  cause: 'rates of earlier runs are mostly 0, so they do not tell which rise is more than chance',
  remedy: 'use max, such as max: 5%, or against: baseline with --against, which sends the deployment in use again',
};

const NO_RATIO: KeyedFault = {
  key: 'against',
  cause: 'earlier runs are compared by the ratio of a metric',
  remedy: 'use latency or cost with a percentage, such as max_increase: 10%',
};

const NO_SCOPE: KeyedFault = {
  key: 'scope',
  cause: 'scope has no meaning for a rule against earlier runs',
  remedy: 'remove it',
};

export const history: BoundKind = {
  takesScope: true,
  drifts: () => false,
  lookPart: () => 'whole',
  isBeyond: change.isBeyond,

  faults: (rule, suite) => {
    const { bound, scope } = rule;
    if (bound.is === 'max_rise') return [NO_RATE];
    // A metric that is not compared by ratio refuses an amount itself.
    const isChange = bound.is === 'max_increase' || bound.is === 'max_decrease';
    const wrong = isChange ? change.faults(rule, suite) : [];
    if (!isChange || !('share' in bound)) return [...wrong, NO_RATIO];
    return scope === 'prompts' ? [...wrong, NO_SCOPE] : wrong;
  },

  plan: () => ({ units: 'runs', n: 0, reach: { can: 'decide_runs', fewestEarlier: FEWEST_RUNS + 1, earlier: null } }),

  weigh: (ruleCase, grounds, kept) => {
    const { rule, variant, prompts } = ruleCase;
    if (grounds.history === null) throw new Error('a rule against earlier runs needs them');
    const metric = metricOf(rule, grounds.metrics);
    const reading = changeReadingOf(rule, metric);
    if (reading.effect !== 'ratio') throw new Error(`${metric.name} has no ratio: the suite should have been refused`);
    const limit = historyLimitOf(rule);
    const { lines, run, startedAt, plan, vantage } = grounds.history;
    const digest = comparableDigest(plan, variant, vantage);
    const earlier = comparableRuns(lines, { variant: variant.name, digest })
      .filter(({ line }) => isBefore(line, { run, startedAt }))
      .map(({ of }) => cellsOfRun(of, metric.name, prompts));
    const now = cellValues(takesOfCase(ruleCase, grounds, kept), metric, reading);
    const decided = decideRuns([...earlier, now], limit).at(-1);
    if (decided === undefined) throw new Error('a run was not decided');
    return weighed(decided, limit.worse);
  },
};

export function historyLimitOf({ bound }: Pick<GateRule, 'bound'>): HistoryLimit {
  const { worse, limit } = changeOf(bound);
  if (limit.of !== 'share') throw new Error('a change by an amount: the suite should have been refused');
  return { worse, share: limit.size };
}

/** @param result `change`, `reach`: of ln, positive is worse */
function weighed(
  { decision, runs, cells, change, reach, further }: RunResult,
  worse: HistoryLimit['worse'],
): WeighedCase {
  const sign = worse === 'increase' ? 1 : -1;
  const ratioAt = (distance: number) => (change === null ? null : Math.exp(sign * (change + distance)));
  const ends = reach === null ? [null, null] : [ratioAt(-sign * reach.both), ratioAt(sign * reach.both)];
  return {
    ...UNTESTED,
    decide: () => decision,
    effect: 'ratio',
    unit: '1',
    estimate: ratioAt(0),
    ciLow: ends[0] ?? null,
    ciHigh: ends[1] ?? null,
    upperBound: reach === null ? null : ratioAt(reach.above),
    n: cells === 0 ? 0 : runs,
    units: 'runs',
    detectableAt: () =>
      further && {
        effect: Math.exp(sign * further.detects),
        spread: further.spread,
        assumed: false,
        passes: Math.exp(sign * further.passes),
      },
  };
}
