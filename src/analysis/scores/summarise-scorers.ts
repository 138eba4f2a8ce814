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
      const found = (shown.get(name) ?? []).map((take) => scoreOf(scoring, take));
      const reasons = groupBy(
        found.flatMap((each) => (each !== null && 'why' in each ? [each.why] : [])),
        (why) => JSON.stringify(why),
      );
      return {
        variant: name,
        scored: found.filter((each) => each !== null && 'values' in each).length,
        unscored: [...reasons.values()]
          .flatMap((own) => own.slice(0, 1).map((why) => ({ why, takes: own.length })))
          .sort((a, b) => b.takes - a.takes),
        waiting: found.filter((each) => each === null).length,
      };
    }),
    controls: scoring.scorer.gives.flatMap(({ value, better }) =>
      better === null
        ? []
        : controlCounts(scoring, value).map((each) => ({ metric: scoreMetricName(scoring.scorer, value), ...each })),
    ),
  }));
}
