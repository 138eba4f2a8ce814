import type { Comparison } from '../comparison.ts';
import type { Metric } from '../metric.ts';
import type { RuleResult } from '../verdict.ts';
import { lateVariants, voidVariants, type Warning } from '../warnings.ts';

/** Marks latency comparisons with a variant that this machine could not keep up with. */
export function markUnfit(
  comparisons: readonly Comparison[],
  warnings: readonly Warning[],
  metrics: readonly Metric[],
): readonly Comparison[] {
  const isVoid = voidVariants(warnings);
  return comparisons.map((comparison): Comparison => {
    const { variant, baseline, metric, value, notes } = comparison;
    const isUnfit = value !== null && (isVoid.has(variant) || isVoid.has(baseline)) && isOfLatencies(metric, metrics);
    return isUnfit ? { ...comparison, notes: [...notes, { code: 'unfit_machine' }] } : comparison;
  });
}

/** Marks results that pass or fail on latencies of such a machine, or change without late takes. */
export function markUnfitRules(
  results: readonly RuleResult[],
  warnings: readonly Warning[],
  metrics: readonly Metric[],
): readonly RuleResult[] {
  const late = lateVariants(warnings);
  return results.map((result): RuleResult => {
    const { verdict, rule, withoutFlagged } = result;
    const isMoved = withoutFlagged !== null && withoutFlagged.verdict !== verdict;
    const lateOnes = late.filter(({ variant }) => variant === result.variant || variant === result.against);
    const isDecided = (verdict === 'pass' || verdict === 'fail') && isOfLatencies(rule.metric, metrics);
    return { ...result, unfit: isDecided && lateOnes.some(({ agree }) => agree !== true || isMoved) };
  });
}

function isOfLatencies(name: string, metrics: readonly Metric[]): boolean {
  const gate = metrics.find((metric) => metric.name === name)?.gate;
  return gate !== undefined && 'madeOf' in gate && gate.madeOf === 'latencies';
}
