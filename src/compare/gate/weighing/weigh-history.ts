import { CONFIDENCE } from '../../../analysis/confidence.ts';
import type { TimedSample } from '../../../analysis/effective-sample.ts';
import type { Metric } from '../../../analysis/measures/metric.ts';
import type { ValueReading } from '../../../analysis/measures/take-reading.ts';
import type { HistoryLine } from '../../../record/model/history-line.ts';
import type { RunPlan } from '../../../record/model/run.ts';
import type { GateRule } from '../../../suite/format/rule.ts';
import { decideRuns, type HistoryLimit, type RunResult } from '../../history/decide-runs.ts';
import { cellsOfRun, comparableRuns, isBefore } from '../../history/earlier-runs.ts';
import { cellValues, comparableDigest } from '../../history/line-of-run.ts';
import type { RuleCase } from '../rule-cases.ts';
import type { WeighedCase } from './weighed-case.ts';

/** What a rule against earlier runs is weighed on. */
export interface HistoryGrounds {
  readonly lines: readonly HistoryLine[];
  /** The run that is decided; lines of it and of later ones do not count. */
  readonly run: string;
  readonly startedAt: string;
  readonly plan: RunPlan;
}

/**
 * Weighs a variant against its own earlier runs: this run and the one before together, the spread between runs included.
 *
 * @param takes of the variant, within the prompts of the case
 */
export function weighHistory(
  { rule, variant, prompts }: RuleCase,
  metric: Metric,
  reading: ValueReading,
  history: HistoryGrounds,
  takes: readonly TimedSample[],
): WeighedCase {
  const limit = historyLimitOf(rule);
  const { lines, run, startedAt, plan } = history;
  const digest = comparableDigest(plan, variant);
  const earlier = comparableRuns(lines, { variant: variant.name, digest })
    .filter(({ line }) => isBefore(line, { run, startedAt }))
    .map(({ of }) => cellsOfRun(of, metric.name, prompts));
  const decided = decideRuns([...earlier, cellValues(takes, metric, reading)], limit).at(-1);
  if (decided === undefined) throw new Error('a run was not decided');
  return weighed(decided, limit.worse, metric);
}

/** How far a rule against earlier runs lets a run lie from them. */
export function historyLimitOf({ bound }: Pick<GateRule, 'bound'>): HistoryLimit {
  if ((bound.is !== 'max_increase' && bound.is !== 'max_decrease') || !('share' in bound)) {
    throw new Error(`${bound.is} is not a change by a share: the suite should have been refused`);
  }
  return { worse: bound.is === 'max_increase' ? 'increase' : 'decrease', share: bound.share };
}

function weighed(
  { decision, runs, cells, change, reach, mean }: RunResult,
  worse: HistoryLimit['worse'],
  { unit }: Metric,
): WeighedCase {
  const sign = worse === 'increase' ? 1 : -1;
  const at = (distance: number) => (change === null ? null : Math.exp(sign * (change + distance)));
  const ends = reach === null ? [null, null] : [at(-sign * reach.both), at(sign * reach.both)];
  return {
    p: null,
    decide: () => decision,
    effect: 'ratio',
    unit: '1',
    estimate: at(0),
    ciLow: ends[0] ?? null,
    ciHigh: ends[1] ?? null,
    upperBound: reach === null ? null : at(reach.above),
    boundLevel: CONFIDENCE,
    n: cells === 0 ? 0 : runs,
    units: 'runs',
    missingPairs: 0,
    differences: [],
    promptEffect: null,
    worst: null,
    differenceMs: unit !== 'ms' || change === null || mean === null ? null : Math.expm1(sign * change) * Math.exp(mean),
  };
}
