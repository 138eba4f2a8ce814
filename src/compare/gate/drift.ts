import type { Metric } from '../../analysis/measures/metric.ts';
import type { GateRule } from '../../suite/format/rule.ts';
import { comparesVariants } from './rule-cases.ts';
import { gatedOf } from './rule-statistic.ts';

/**
 * Whether a rule compares what changes with the service over time: latencies, and rates of events. In sequential order
 * such a rule fails equal variants in up to half of the runs when the service changes in mid-run (simulated: README.md).
 */
export function driftsWithService(rule: GateRule, metric: Metric): boolean {
  return comparesVariants(rule) && (gatedOf(metric).madeOf === 'latencies' || rule.bound.is === 'max_rise');
}
