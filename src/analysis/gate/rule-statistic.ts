import type { GateRule } from '../../suite/rule.ts';
import type { Bounded, Gated, GatedStatistic, Metric, TakeReading } from '../metric.ts';

/* Suites with rules that ask for what a metric does not declare are refused, so these functions throw of them. */

export function metricOf({ metric: wanted }: Pick<GateRule, 'metric'>, metrics: readonly Metric[]): Metric {
  const metric = metrics.find(({ name }) => name === wanted);
  if (metric === undefined) throw new Error(`no metric ${wanted}: the suite should have been refused`);
  return metric;
}

export function gatedOf({ name, gate }: Pick<Metric, 'name' | 'gate'>): Gated {
  if ('never' in gate) throw new Error(`no rule can be decided by ${name}: the suite should have been refused`);
  return gate;
}

type Asking = Pick<GateRule, 'statistic' | 'overMs'>;

/** The statistic of a rule: its own, that of its limit, or the first of its metric. */
export function statisticOf({ statistic, overMs }: Asking, metric: Pick<Metric, 'name' | 'gate'>): string {
  const { statistics, over } = gatedOf(metric);
  const name = overMs !== null && over !== undefined ? over.at(overMs) : (statistic ?? statistics[0]?.statistic);
  if (name === undefined) throw new Error(`${metric.name} has no statistic: the suite should have been refused`);
  return name;
}

export function gatedStatistic(rule: Asking, metric: Pick<Metric, 'name' | 'gate'>): GatedStatistic | undefined {
  const wanted = statisticOf(rule, metric);
  return gatedOf(metric).statistics.find(({ statistic }) => statistic === wanted);
}

export function boundedOf(rule: Asking, metric: Pick<Metric, 'name' | 'gate'>): Bounded | null {
  return gatedStatistic(rule, metric)?.bounded ?? null;
}

/** Whether a rule reads outputs alone: then load, order and flags of times do not matter. */
export function isOfOutputs(rule: Asking & Pick<GateRule, 'metric'>, metrics: readonly Metric[]): boolean {
  const metric = metrics.find(({ name }) => name === rule.metric);
  return metric !== undefined && readingOf(rule, metric)?.outputUnits !== undefined;
}

/** Undefined if the metric reads no such statistic from a take. */
export function readingOf(rule: Asking, metric: Metric): TakeReading | undefined {
  const wanted = statisticOf(rule, metric);
  return metric.takes?.find(({ statistic }) => statistic === wanted);
}
