import type { Comparison } from './comparison.ts';
import { isOfMarks, type Metric } from './metric.ts';
import type { Warning } from './warning.ts';
import { voidVariants } from './warnings.ts';

/** Marks latency comparisons with a variant that this machine could not keep up with. */
export function markUnfit(
  comparisons: readonly Comparison[],
  warnings: readonly Warning[],
  metrics: readonly Metric[],
): readonly Comparison[] {
  const isVoid = voidVariants(warnings);
  return comparisons.map((comparison): Comparison => {
    const { variant, baseline, metric, value, notes } = comparison;
    const isUnfit = value !== null && (isVoid.has(variant) || isVoid.has(baseline)) && areMarks(metric, metrics);
    return isUnfit ? { ...comparison, notes: [...notes, { code: 'unfit_machine' }] } : comparison;
  });
}

/** Whether the metric of this name is of marks of this machine. */
export function areMarks(name: string, metrics: readonly Metric[]): boolean {
  return metrics.some((metric) => metric.name === name && isOfMarks(metric));
}
