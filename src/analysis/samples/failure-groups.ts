import { EFFECTIVE_OUTCOMES, type EffectiveSample } from '../effective-sample.ts';
import { compareCodeUnits, groupBy } from '../grouping.ts';
import type { FailureGroup } from '../summaries.ts';

/** Failed trials by variant, outcome, code and HTTP status, the largest group first; the first is its example. */
export function failureGroups(variants: readonly string[], trials: readonly EffectiveSample[]): FailureGroup[] {
  const failed = trials.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'dropped');
  const keyOf = ({ sample, outcome, error }: EffectiveSample) =>
    JSON.stringify([sample.trial.variant, outcome, error?.code, sample.httpStatus]);
  const groups: FailureGroup[] = [];
  for (const members of groupBy(failed, keyOf).values()) {
    const [first] = members;
    if (first === undefined) continue;
    groups.push({
      variant: first.sample.trial.variant,
      outcome: first.outcome,
      code: first.error?.code ?? '',
      httpStatus: first.sample.httpStatus,
      count: members.length,
      message: first.error?.message ?? '',
      undecodable: first.error?.undecodable ?? null,
      exampleTrial: first.sample.trial.id,
    });
  }
  return groups.sort(
    (a, b) =>
      b.count - a.count ||
      variants.indexOf(a.variant) - variants.indexOf(b.variant) ||
      EFFECTIVE_OUTCOMES.indexOf(a.outcome) - EFFECTIVE_OUTCOMES.indexOf(b.outcome) ||
      compareCodeUnits(a.code, b.code) ||
      (a.httpStatus ?? 0) - (b.httpStatus ?? 0),
  );
}
