import {
  changeSince,
  decideRuns,
  type FirstChange,
  type HistoryLimit,
  type RunResult,
} from '../../analysis/decide-runs.ts';
import {
  cellsOfRun,
  cellValues,
  comparableDigest,
  comparableRuns,
  FEWEST_RUNS,
  isBefore,
} from '../../analysis/earlier-runs.ts';
import { share } from '../../kit/wording.ts';
import { caseSeedOf } from '../../plan/plan.ts';
import type { Bound } from '../../suite/rule.ts';
import { type KeyedFault, metricOf, takeReadingOf } from '../deciding/rule-statistic.ts';
import { type Grounds, type TakesKept, takesOfCase, UNTESTED, type WeighedCase } from '../deciding/weighing.ts';
import type { RuleCase } from '../rule-case.ts';
import type { BoundKind } from './bound-kind.ts';
import { change } from './change.ts';

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

/**
 * A bound that is no change as a share is refused.
 *
 * @param kind of the bound in one run
 * @param atFirst what a rule allows while there are too few earlier runs, a share
 */
export function history(bound: Bound, kind: BoundKind, atFirst: number | null): BoundKind {
  const shared: BoundKind = {
    ...kind,
    comparesVariants: false,
    drifts: () => false,
    lookPart: () => 'whole',
  };
  if (bound.is === 'max_rise') return { ...shared, faults: () => [NO_RATE] };
  if (bound.is !== 'max_increase' && bound.is !== 'max_decrease') return { ...shared, faults: () => [NO_RATIO] };
  // A metric that is not compared by ratio refuses an amount itself.
  if (!('share' in bound)) return { ...shared, faults: (...asked) => [...kind.faults(...asked), NO_RATIO] };
  const limit: HistoryLimit = {
    worse: bound.is === 'max_increase' ? 'increase' : 'decrease',
    share: bound.share,
    atFirst,
  };
  const reach = { can: 'decide_runs', limit, fewestEarlier: FEWEST_RUNS + 1, earlier: null } as const;
  return {
    ...shared,
    words: (of) => {
      if (atFirst === null || !of.isAtFirst) return kind.words(of);
      const words = change({ ...bound, share: atFirst }).words(of);
      return { ...words, limit: `in the first runs ${words.limit}` };
    },
    faults: (rule, suite) => [
      ...kind.faults(rule, suite),
      ...(atFirst !== null && atFirst <= bound.share ? [tooLow(atFirst, bound)] : []),
    ],
    plan: ({ takes }) => {
      const cells = new Set(takes.map(({ trial }) => caseSeedOf(trial))).size;
      return { units: 'runs', n: 0, reach: { ...reach, cells } };
    },
    weigh: (ruleCase, grounds, kept) => weighRuns(ruleCase, grounds, kept, limit),
  };
}

function tooLow(atFirst: number, { is, share: limit }: { readonly is: string; readonly share: number }): KeyedFault {
  const cause = `at_first is ${share(atFirst)}, which is not above ${is}: ${share(limit)}`;
  return { key: 'at_first', cause, remedy: `write more than ${share(limit)}, such as 50%` };
}

function weighRuns(ruleCase: RuleCase, grounds: Grounds, kept: TakesKept, limit: HistoryLimit): WeighedCase {
  const { rule, variant, prompts } = ruleCase;
  if (grounds.history === null) throw new Error('a rule against earlier runs needs them');
  const metric = metricOf(rule, grounds.metrics);
  const reading = takeReadingOf(rule, metric);
  if (reading.effect !== 'ratio') throw new Error(`${metric.name} has no ratio: the suite should have been refused`);
  const { lines, run, startedAt, plan, vantage } = grounds.history;
  const digest = comparableDigest(plan, variant, vantage);
  const before = comparableRuns(lines, { variant: variant.name, digest }).filter(({ line }) =>
    isBefore(line, { run, startedAt }),
  );
  const earlier = before.map(({ of }) => cellsOfRun(of, metric.name, prompts));
  const now = cellValues(takesOfCase(ruleCase, grounds, kept), metric, reading);
  const decided = decideRuns([...earlier, now], limit).at(-1);
  if (decided === undefined) throw new Error('a run was not decided');
  const [last, cells] = [before.at(-1), earlier.at(-1)];
  const beside = cells === undefined ? null : weighedFirst(changeSince([cells], now, limit.worse), signOf(limit.worse));
  if (last === undefined || beside === null || beside.estimate === null) return weighed(decided, limit.worse);
  const { estimate: ratio, ciLow, ciHigh } = beside;
  const lastRun = { run: last.line.label ?? last.line.run, ratio, ciLow, ciHigh };
  return { ...weighed(decided, limit.worse), lastRun };
}

function signOf(worse: HistoryLimit['worse']): 1 | -1 {
  return worse === 'increase' ? 1 : -1;
}

/** @param result `change`, `reach`: of ln, positive is worse */
function weighed(
  { decision, runs, cells, change, reach, further, first }: RunResult,
  worse: HistoryLimit['worse'],
): WeighedCase {
  const sign = signOf(worse);
  if (first !== null) return { ...UNTESTED, decide: () => decision, ...weighedFirst(first, sign) };
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

/** @param sign -1 where a decrease is worse */
function weighedFirst({ runs, change, interval }: FirstChange, sign: number) {
  const ratioOf = (ln: number | undefined) => (ln === undefined ? null : Math.exp(sign * ln));
  const ends = [ratioOf(interval?.low), ratioOf(interval?.high)];
  const [ciLow = null, ciHigh = null] = sign < 0 ? ends.toReversed() : ends;
  const estimate = ratioOf(change ?? undefined);
  return {
    effect: 'ratio',
    unit: '1',
    estimate,
    ciLow,
    ciHigh,
    upperBound: null,
    n: change === null ? 0 : runs,
    units: 'runs',
  } as const;
}
