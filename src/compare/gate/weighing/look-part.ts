import type { Metric } from '../../../analysis/measures/metric.ts';
import type { GateRule } from '../../../suite/format/rule.ts';
import { STABILITY_METRICS } from '../../baseline/stability.ts';
import { comparesVariants } from '../rule-cases.ts';
import { boundedOf } from '../rule-statistic.ts';

/**
 * What a rule is decided by where the gate is looked at more than once.
 * - `each_look`: by its tests or one-sided bounds at every look, each with its part of the error rate; a fail or pass is final.
 * - `events`: a fail at the first event. It passes only with none in all that was measured, and no error rate is spent.
 * - `whole`: once, on all that was measured: against earlier runs, or by an interval of 95 % that a look cannot make wider.
 */
export type LookPart = 'each_look' | 'events' | 'whole';

/** What a rule has to do with looks. */
export function lookPartOf(rule: GateRule, metrics: readonly Metric[]): LookPart {
  if (rule.bound.is === 'none') return 'events';
  if (rule.against === 'history') return 'whole';
  if (comparesVariants(rule) || STABILITY_METRICS.has(rule.metric)) return 'each_look';
  const metric = metrics.find(({ name }) => name === rule.metric);
  const bounded = metric === undefined ? null : boundedOf(rule, metric);
  const isLooked = bounded?.by === 'takes' || (bounded?.by === 'events' && bounded.among !== 'cells');
  return isLooked ? 'each_look' : 'whole';
}
