import type { TimedSample } from '../../../analysis/analysis.ts';
import { CONFIDENCE } from '../../../analysis/confidence.ts';
import type { Metric } from '../../../analysis/measures/metric.ts';
import type { ValueReading } from '../../../analysis/measures/take-reading.ts';
import type { HistoryLine } from '../../../record/model/history-line.ts';
import type { RunPlan } from '../../../record/model/run.ts';
import { studentQuantile } from '../../../statistics/distributions/student.ts';
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
 * Weighs a variant against its own earlier runs. The interval is that of the change, the spread between runs included.
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
  const { bound } = rule;
  if ((bound.is !== 'max_increase' && bound.is !== 'max_decrease') || !('share' in bound)) {
    throw new Error(`${bound.is} is not a change by a share: the suite should have been refused`);
  }
  const limit: HistoryLimit = { worse: bound.is === 'max_increase' ? 'increase' : 'decrease', share: bound.share };
  const { lines, run, startedAt, plan } = history;
  const digest = comparableDigest(plan, variant);
  const earlier = comparableRuns(lines, { variant: variant.name, digest })
    .filter(({ line }) => isBefore(line, { run, startedAt }))
    .map(({ of }) => cellsOfRun(of, metric.name, prompts));
  const decided = decideRuns([...earlier, cellValues(takes, metric, reading)], limit).at(-1);
  if (decided === undefined) throw new Error('a run was not decided');
  return weighed(decided, limit.worse, metric);
}

function weighed(
  { decision, runs, cells, change, spread, mean }: RunResult,
  worse: HistoryLimit['worse'],
  { unit }: Metric,
): WeighedCase {
  const sign = worse === 'increase' ? 1 : -1;
  const shown = (difference: number | null) => (difference === null ? null : Math.exp(sign * difference));
  const standardError = spread === null ? null : spread * Math.sqrt(1 + 1 / runs);
  const reach = (level: number) =>
    standardError === null || change === null ? null : studentQuantile(level, runs - 1) * standardError;
  const [both, one] = [reach((1 + CONFIDENCE) / 2), reach(CONFIDENCE)];
  const ends = [shown(plus(change, both, -1)), shown(plus(change, both, 1))];
  return {
    p: null,
    decide: () => decision,
    effect: 'ratio',
    unit: '1',
    estimate: shown(change),
    ciLow: ends[worse === 'increase' ? 0 : 1] ?? null,
    ciHigh: ends[worse === 'increase' ? 1 : 0] ?? null,
    upperBound: shown(plus(change, one, 1)),
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

function plus(change: number | null, reach: number | null, sign: 1 | -1): number | null {
  return change === null || reach === null ? null : change + sign * reach;
}
