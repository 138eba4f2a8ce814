import type { Metric } from '../../analysis/measures/metric.ts';
import type { GateRule } from '../../suite/format/suite.ts';
import { comparesVariants } from './rule-cases.ts';

/**
 * Whether a rule compares what changes with the service over time: latencies, and rates of events. In sequential order
 * such a rule fails equal variants in up to half of the runs when the service changes in mid-run (simulated: README.md).
 */
export function driftsWithService(rule: GateRule, { unit, name }: Pick<Metric, 'unit' | 'name'>): boolean {
  return comparesVariants(rule) && (unit === 'ms' || name === 'slow_rate' || rule.bound.is === 'max_rise');
}
