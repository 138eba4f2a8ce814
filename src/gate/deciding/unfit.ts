import { SLOW_COUNTED } from '../../analysis/effective-sample.ts';
import { isOfMarks, type Metric } from '../../analysis/metric.ts';
import type { Warning } from '../../analysis/warning.ts';
import type { RuleCase } from '../rule-case.ts';
import type { RuleResult, Unfit } from '../verdict.ts';
import { gatedOf } from './rule-statistic.ts';
import { type Grounds, takesOfCase } from './weighing.ts';

/* Results on latencies that are not to be used. */

/** Marks results that pass or fail on latencies with late takes, where these could change them. */
export function markUnfitRules(
  results: readonly RuleResult[],
  warnings: readonly Warning[],
  metrics: readonly Metric[],
): readonly RuleResult[] {
  const late = warnings.filter(({ code }) => code === 'too_many_late_stamps');
  const isLate = (variants: readonly string[] = [], { variant, against }: RuleResult) =>
    variants.includes(variant) || variants.includes(against ?? '');
  const ofMarks = new Set(metrics.filter(isOfMarks).map(({ name }) => name));
  return results.map((result): RuleResult => {
    const { verdict, rule, withoutFlagged } = result;
    const isMoved = withoutFlagged !== null && withoutFlagged.verdict !== verdict;
    const isDecided = (verdict === 'pass' || verdict === 'fail') && ofMarks.has(rule.metric);
    const isUnfit =
      isDecided && late.some(({ variants, unfit }) => isLate(isMoved ? variants : unfit?.variants, result));
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
