import type { LookKind } from '../../plan/recorded-plan.ts';
import { kindOf } from '../bounds.ts';
import type { Metric } from '../metric.ts';
import type { Decision, InconclusiveCode, RuleNumbers } from '../verdict.ts';

/*
 * At each look every test and one-sided bound takes a part of the error rate (`alphasOf`), for fails and passes alike,
 * so that all looks together keep the error rate of one. Holm's m stays that of the plan. A rule keeps its first
 * decision.
 */

export type LookedRule = Pick<RuleNumbers, 'index' | 'rule' | 'variant'> & Decision;

/** A rule decided at each look keeps its first fail or pass; others keep their last result. `looks`: in order. */
export function settleLooks<R extends LookedRule>(
  looks: readonly (readonly R[])[],
  metrics: readonly Metric[],
): readonly { readonly result: R; readonly look: number }[] {
  return (looks.at(-1) ?? []).map((last) => {
    const isLooked = kindOf(last.rule).lookPart(last.rule, metrics) === 'each_look';
    const atLooks = looks.map((results) => results.find((result) => isSame(result, last)) ?? last);
    const first = isLooked ? atLooks.findIndex(({ verdict }) => verdict === 'fail' || verdict === 'pass') : -1;
    const at = first < 0 ? atLooks.length - 1 : first;
    return { result: atLooks[at] ?? last, look: at + 1 };
  });
}

function isSame(a: LookedRule, b: LookedRule): boolean {
  return a.index === b.index && a.variant === b.variant;
}

/** False after a fail, or once all rules pass; undecided rules are awaited. `results`: from `settleLooks`. */
export function isOpen(results: readonly LookedRule[], kind: LookKind, metrics: readonly Metric[]): boolean {
  const parts = results.map((result) => ({ result, part: kindOf(result.rule).lookPart(result.rule, metrics) }));
  if (parts.some(({ result, part }) => part !== 'whole' && result.verdict === 'fail')) return false;
  return parts.some(({ result, part }) =>
    part === 'whole'
      ? // It needs all cells, which only a confirmation has from its first part on.
        kind === 'until_decided'
      : result.verdict === 'inconclusive' && !BEYOND_TAKES.has(result.code),
  );
}

const BEYOND_TAKES: ReadonlySet<InconclusiveCode> = new Set([
  'not_testable',
  'coarse_polls',
  'mixed_order',
  'sequential_order',
  'left_out',
  'no_baseline',
  'no_media',
]);
