import { scoreMetricName } from '../../suite/score-label.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import type { ScorerSummary } from '../score-summaries.ts';
import type { VariantSummary } from '../summaries.ts';
import { controlCounts, isShown, type Scoring, scoreOf } from './scoring.ts';

export function summariseScorers(
  scorings: readonly Scoring[],
  variants: readonly Pick<VariantSummary, 'name'>[],
  trials: readonly EffectiveSample[],
): readonly ScorerSummary[] {
  const shown = groupBy(trials.filter(isShown), ({ sample }) => sample.trial.variant);
  return scorings.map((scoring) => ({
    scorer: scoring.scorer.name,
    use: scoring.scorer.use,
    metrics: scoring.scorer.gives.map(({ value }) => scoreMetricName(scoring.scorer, value)),
    source: scoring.by,
    variants: variants.map(({ name }) => {
      const scored = (shown.get(name) ?? []).map((take) => scoreOf(scoring, take));
      const reasons = groupBy(
        scored.flatMap((score) => (score !== null && 'why' in score ? [score.why] : [])),
        (why) => JSON.stringify(why),
      );
      return {
        variant: name,
        scored: scored.filter((score) => score !== null && 'values' in score).length,
        unscored: [...reasons.values()]
          .flatMap((same) => same.slice(0, 1).map((why) => ({ why, takes: same.length })))
          .sort((a, b) => b.takes - a.takes),
        waiting: scored.filter((score) => score === null).length,
      };
    }),
    controls: scoring.scorer.gives.flatMap(({ value, better }) =>
      better === null
        ? []
        : controlCounts(scoring, value).map((control) => ({
            metric: scoreMetricName(scoring.scorer, value),
            ...control,
          })),
    ),
  }));
}
