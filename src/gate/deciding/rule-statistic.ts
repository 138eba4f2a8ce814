import type { Bounded, Gated, GatedStatistic, Metric, TakeReading } from '../../analysis/metric.ts';
import type { Fault } from '../../kit/diagnostic.ts';
import { oneOf } from '../../kit/wording.ts';
import type { GateRule } from '../../suite/rule.ts';

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

/** The reading by which takes of two variants are compared. */
export function takeReadingOf(rule: Asking, metric: Metric): TakeReading {
  const reading = readingOf(rule, metric);
  if (reading === undefined) {
    throw new Error(`${metric.name} does not read each take: the suite should have been refused`);
  }
  return reading;
}

/** Why a rule is refused before sending. May hold hostile text: names from others. */
export interface KeyedFault extends Fault {
  /** The faulty key of the rule; `''` for the rule itself. */
  readonly key: string;
  /** Set if another fault of the suite may be the cause: it leaves out what the rule needs. */
  readonly ofWhole?: true;
}

export interface RuleFault extends KeyedFault {
  /** Position of the rule in the gate, from 0. */
  readonly index: number;
}

/** Why a rule can never pass, or never fail, under a plan. */
export interface PlannedFault extends Fault {
  /** Reported once per rule, not per variant. */
  readonly code: 'cannot_pass' | 'cannot_fail' | 'short_load';
}

export function unknownStatistic(metric: string, statistic: string, known: readonly string[]): KeyedFault {
  const cause = `${metric} has no bound for the statistic ${statistic}`;
  return { key: 'statistic', cause, remedy: `use ${oneOf(known)}` };
}

export function notOfStability(key: string, metric: string): KeyedFault {
  return { key, cause: `${metric} is the share of outputs that still match`, remedy: 'use none: change or min' };
}

export function aboveAll(key: string, metric: string): KeyedFault {
  return { key, cause: `${metric} is never above 100 %`, remedy: 'use a percentage up to 100%' };
}

export function zeroLimit(key: string): KeyedFault {
  return { key, cause: 'a limit of 0 can never be shown to hold', remedy: 'use a limit above 0, or none' };
}
