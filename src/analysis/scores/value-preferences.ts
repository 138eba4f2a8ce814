import { scoreMetricName } from '../../suite/score-label.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { PreferringScorer } from './agreement.ts';
import { isShown, type Scoring, type ShownTake, scoreOf, valueIn } from './scoring.ts';

/** Prefers the better value; neither if equal, null if missing. `takes`: the first of a block counts, as for votes. */
export function valuePreferences(
  scorings: readonly Scoring[],
  takes: readonly EffectiveSample[],
): readonly PreferringScorer[] {
  const first = new Map<string, ShownTake>();
  for (const take of takes.filter(isShown)) {
    const key = keyOf(take.sample.trial.block, take.sample.trial.variant);
    if (!first.has(key)) first.set(key, take);
  }
  return scorings.flatMap((scoring) =>
    scoring.scorer.gives.flatMap(({ value, better }): PreferringScorer[] => {
      if (better === null) return [];
      const scored = (block: string, variant: string) => {
        const take = first.get(keyOf(block, variant));
        return take === undefined ? null : valueIn(scoreOf(scoring, take), value);
      };
      return [
        {
          metric: scoreMetricName(scoring.scorer, value),
          preferences: (block, one, other) => {
            const [a, b] = [scored(block, one), scored(block, other)];
            if (a === null || b === null) return null;
            if (a === b) return { preferred: null };
            return { preferred: a > b === (better === 'higher') ? one : other };
          },
        },
      ];
    }),
  );
}

function keyOf(block: string, variant: string): string {
  return JSON.stringify([block, variant]);
}
