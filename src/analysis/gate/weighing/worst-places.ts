import { compareCodeUnits } from '../../../kit/grouping.ts';
import type { Comparison } from '../../comparison.ts';
import type { RuleCase } from '../../rule-cases.ts';
import type { WorstPlace } from '../../verdict.ts';
import { type Grounds, type TakesKept, takesOfCase } from './grounds.ts';

const MOST_PLACES = 3;

/** Prompts and tags that changed for the worse, the worst first. */
export function worstPlaces(
  { rule, variant, baseline, prompts }: RuleCase,
  statistic: string,
  comparisons: readonly Comparison[],
): readonly WorstPlace[] {
  const ofCase = comparisons.filter(
    (comparison) =>
      comparison.variant === variant.name &&
      comparison.baseline === baseline?.name &&
      comparison.metric === rule.metric &&
      comparison.statistic === statistic,
  );
  const lowerIsWorse = rule.bound.is === 'max_decrease';
  const places = ofCase.flatMap(({ scope, value, effect }) => {
    if (value === null || (scope.of !== 'prompt' && scope.of !== 'tag')) return [];
    if (scope.of === 'prompt' && prompts !== null && !prompts.has(scope.id)) return [];
    const change = effect === 'ratio' ? value - 1 : value;
    const worse = lowerIsWorse ? -change : change;
    const place: WorstPlace = scope.of === 'prompt' ? { prompt: scope.id, value } : { tag: scope.tag, value };
    return worse > 0 ? [{ worse, place, name: scope.of === 'prompt' ? scope.id : scope.tag }] : [];
  });
  return places
    .sort((a, b) => b.worse - a.worse || compareCodeUnits(a.name, b.name))
    .slice(0, MOST_PLACES)
    .map(({ place }) => place);
}

/** Prompts beyond a rule's bound, the furthest first; `valueIn` is null without a value. */
export function worstPrompts(
  ruleCase: RuleCase,
  grounds: Grounds,
  kept: TakesKept,
  valueIn: (ofPrompt: RuleCase) => number | null,
  bound: { readonly is: 'max' | 'min'; readonly value: number },
): readonly WorstPlace[] {
  const prompts = new Set(takesOfCase(ruleCase, grounds, kept).map(({ sample }) => sample.trial.prompt));
  const sign = bound.is === 'max' ? 1 : -1;
  return [...prompts]
    .flatMap((prompt) => {
      const value = valueIn({ ...ruleCase, prompts: new Set([prompt]) });
      return value !== null && sign * (value - bound.value) > 0 ? [{ prompt, value }] : [];
    })
    .sort((a, b) => sign * (b.value - a.value) || compareCodeUnits(a.prompt, b.prompt))
    .slice(0, MOST_PLACES);
}
