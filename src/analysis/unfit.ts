import { sum } from '../statistics/mean.ts';
import type { Comparison } from './comparison.ts';
import { SLOW_COUNTED } from './effective-sample.ts';
import { gatedOf } from './gate/rule-statistic.ts';
import { type Grounds, takesOfCase } from './gate/weighing.ts';
import { isOfMarks, type Metric } from './metric.ts';
import { NOT_KEPT_UP, waitedWords } from './note.ts';
import type { RuleCase } from './rule-cases.ts';
import type { RuleResult, Unfit } from './verdict.ts';
import { lateVariants, voidVariants, type Warning } from './warnings.ts';

/* Latencies that are not to be used: where they are marked, and what is said of the mark. */

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

/** Marks results that pass or fail on latencies with late takes, where these could change them. */
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
    const isDecided = (verdict === 'pass' || verdict === 'fail') && areMarks(rule.metric, metrics);
    const isUnfit = isDecided && lateOnes.some(({ agree }) => agree !== true || isMoved);
    const others = result.unfit.filter(({ code }) => code !== 'not_kept_up');
    return { ...result, unfit: [...(isUnfit ? [{ code: 'not_kept_up' } as const] : []), ...others] };
  });
}

/** Takes of a case whose waits for a rate limit are not in what its rule bounds. */
export function waitsIn(ruleCase: RuleCase, metric: Metric | undefined, grounds: Grounds): readonly Unfit[] {
  const leavesOutWait = metric === undefined ? undefined : gatedOf(metric).leavesOutWait;
  if (leavesOutWait === undefined) return [];
  const counted = takesOfCase(ruleCase, grounds, 'all').filter((take) => take.timed && SLOW_COUNTED.has(take.outcome));
  const takes = counted.filter(leavesOutWait).length;
  return takes === 0 ? [] : [{ code: 'rate_limited', takes, ofTakes: counted.length }];
}

function areMarks(name: string, metrics: readonly Metric[]): boolean {
  return metrics.some((metric) => metric.name === name && isOfMarks(metric));
}

/** `; this machine could not keep up; 12 of 40 takes waited for a rate limit, ...`; empty where nothing is unfit. */
export function unfitWords(results: readonly Pick<RuleResult, 'unfit'>[]): string {
  const reasons = results.flatMap(({ unfit }) => unfit);
  const waits = reasons.flatMap((reason) => (reason.code === 'rate_limited' ? [reason] : []));
  const [takes, of] = [sum(waits.map((reason) => reason.takes)), sum(waits.map(({ ofTakes }) => ofTakes))];
  const isLate = reasons.some(({ code }) => code === 'not_kept_up');
  return `${isLate ? `; ${NOT_KEPT_UP}` : ''}${takes > 0 ? `; ${waitedWords(takes, of)}` : ''}`;
}
