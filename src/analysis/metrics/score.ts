import { groupBy } from '../../kit/grouping.ts';
import { caseSeedOf } from '../../plan/plan.ts';
import { FEWEST_FOR_MEAN, mean, meanInterval } from '../../statistics/mean.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { scoreMetricName } from '../../suite/score-label.ts';
import type { GivenValue } from '../../suite/scorer.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { Finding, Metric } from '../metric.ts';
import { type Note, noted } from '../note.ts';
import { controlFault, isShown, type Scoring, scoreOf, valueIn } from '../scores/scoring.ts';

/**
 * `mean`: over prompts and seeds, each the mean of its takes, with Student's t. Compared over cell pairs at any load
 * and order, which do not change what an output shows.
 */
export function scoreMetric(scoring: Scoring, given: GivenValue): Metric {
  const { scorer } = scoring;
  const { value, better, range, unit, meaning } = given;
  const scoredOf = (take: EffectiveSample) => (isShown(take) ? scoreOf(scoring, take) : null);
  const read = (take: EffectiveSample) => valueIn(scoredOf(take), value);
  const isAwaited = (take: EffectiveSample) => scorer.use === 'command' && isShown(take) && scoredOf(take) === null;
  const fault = controlFault(scoring, given);
  return {
    name: scoreMetricName(scorer, value),
    meaning: meaning ?? `What the scorer ${scorer.name} gives outputs, as \`${value}\`.`,
    unit,
    better,
    whenCached: 'as_is',
    takes: [{ statistic: 'mean', effect: 'difference', outputUnits: 'cells', centre: { by: 'mean', range }, read }],
    gate: {
      statistics: [{ statistic: 'mean', bounded: { by: 'finding', fewest: { of: 'cells', n: FEWEST_FOR_MEAN } } }],
    },
    hindrance: (takes) => {
      const isScored = takes.some((take) => read(take) !== null);
      return !isScored || takes.some(isAwaited) ? 'not_scored' : fault;
    },
    measure: ({ samples }) => {
      const shown = samples.filter(isShown);
      if (
        shown.length === 0 ||
        (scorer.use === 'file' && scoring.by !== null && shown.every((take) => read(take) === null))
      )
        return [];
      const values = shown.flatMap((take) => {
        const score = read(take);
        return score === null ? [] : [{ cell: caseSeedOf(take.sample.trial), score }];
      });
      const cells = [...groupBy(values, ({ cell }) => cell).values()].flatMap(
        (scores) => mean(scores.map(({ score }) => score)) ?? [],
      );
      const unscored = shown.length - values.length;
      const notes: readonly Note[] = [
        ...(values.length === 0 || shown.some(isAwaited) ? [noted('not_scored')] : []),
        ...(values.length > 0 && unscored > 0 ? [noted('unscored', unscored)] : []),
        ...(values.length > 0 && fault !== null ? [noted(fault)] : []),
      ];
      return [findingOf(cells, range, notes)];
    },
  };
}

function findingOf(cells: readonly number[], range: GivenValue['range'], notes: readonly Note[]): Finding {
  const interval = meanInterval(cells, CONFIDENCE, range === null ? null : { low: range[0], high: range[1] });
  const needs = cells.length > 0 && cells.length < FEWEST_FOR_MEAN ? [noted('needs_n', FEWEST_FOR_MEAN)] : [];
  return {
    statistic: 'mean',
    value: mean(cells),
    n: cells.length,
    interval,
    method: 'student',
    notes: [...needs, ...notes],
  };
}
