import type { Bounded, Gated } from '../../analysis/measures/gated.ts';
import type { Metric } from '../../analysis/measures/metric.ts';
import type { GateRule } from '../../suite/format/rule.ts';

/** What a rule may ask of a metric. Throws of one that no rule can be decided by: such a suite is refused. */
export function gatedOf({ name, gate }: Pick<Metric, 'name' | 'gate'>): Gated {
  if ('never' in gate) throw new Error(`no rule can be decided by ${name}: the suite should have been refused`);
  return gate;
}

/** The statistic that a rule is about: its own, that of its limit, or what its metric is mostly asked for. */
export function statisticOf(
  { statistic, overMs }: Pick<GateRule, 'statistic' | 'overMs'>,
  metric: Pick<Metric, 'name' | 'gate'>,
): string {
  const { statistics, over } = gatedOf(metric);
  const own = overMs !== null && over !== undefined ? over(overMs) : (statistic ?? statistics[0]?.statistic);
  if (own === undefined) throw new Error(`${metric.name} has no statistic: the suite should have been refused`);
  return own;
}

/** How `max` and `min` bound the statistic that a rule is about. */
export function boundedOf(
  rule: Pick<GateRule, 'statistic' | 'overMs'>,
  metric: Pick<Metric, 'name' | 'gate'>,
): Bounded | null {
  const wanted = statisticOf(rule, metric);
  return gatedOf(metric).statistics.find(({ statistic }) => statistic === wanted)?.bounded ?? null;
}
