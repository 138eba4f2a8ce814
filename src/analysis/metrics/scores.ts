import { groupBy } from '../../kit/grouping.ts';
import { caseSeedOf } from '../../plan/plan.ts';
import { comparedWith } from '../../record/compared-variants.ts';
import type { RunVariant } from '../../record/run.ts';
import { FEWEST_FOR_MEAN, mean, meanTest } from '../../statistics/mean.ts';
import { intervalOf } from '../../statistics/pair-test.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { clopperPearson } from '../../statistics/rate-interval.ts';
import { SCORE_PREFIX, scoreMetricName } from '../../suite/score-label.ts';
import type { GivenValue } from '../../suite/scorer.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { Finding, Metric, Subject } from '../metric.ts';
import { type Note, noted } from '../note.ts';
import { countPreferences, type Preferences } from '../scores/agreement.ts';
import { isAwaited, type Judging } from '../scores/judging.ts';
import { controlFault, isShown, type Scoring, scoreOf, valueIn } from '../scores/scoring.ts';

interface PreferenceSource {
  readonly name: string;
  readonly meaning: string;
  readonly preferences: Preferences;
  readonly fault?: (variant: string) => 'not_scored' | 'control_failed' | 'too_few_for_control' | null;
  readonly variants: readonly Pick<RunVariant, 'name' | 'kind' | 'baseline' | 'twinOf'>[];
}

/**
 * `lost`: share of pairs in which the candidate's output is worse (Clopper and Pearson). Compared at any load, which
 * does not change what an output shows.
 */
export function preferenceMetric({
  name,
  meaning,
  preferences,
  fault = () => null,
  variants,
}: PreferenceSource): Metric {
  const preferenceOf = (one: EffectiveSample, other: EffectiveSample) =>
    preferences(one.sample.trial.block, one.sample.trial.variant, other.sample.trial.variant);
  const countOf = ({ variant, samples }: Pick<Subject, 'variant' | 'samples'>) => {
    const [opponent] = comparedWith(variant, variants);
    if (opponent === undefined) return null;
    const blocks = new Set(samples.map(({ sample }) => sample.trial.block));
    const answers = [...blocks].flatMap((block) => {
      const answer = preferences(block, variant.name, opponent.name);
      return answer === undefined ? [] : [answer];
    });
    return answers.length === 0 ? null : countPreferences(answers, variant.name, opponent.name);
  };
  return {
    name,
    meaning,
    unit: '1',
    better: 'lower',
    whenCached: 'as_is',
    takes: [
      {
        statistic: 'lost',
        effect: 'rate',
        outputUnits: 'cells',
        readPair: (candidate, baseline) => {
          const answer = preferenceOf(candidate, baseline);
          if (answer === undefined || answer === null) return answer;
          return {
            candidate: answer.preferred === baseline.sample.trial.variant,
            baseline: answer.preferred === candidate.sample.trial.variant,
          };
        },
      },
    ],
    gate: { statistics: [{ statistic: 'lost', bounded: { by: 'events', among: 'cells' } }], ofPair: true },
    hindrance: (takes) => {
      const others = new Set(variants.map((variant) => variant.name));
      const isAnswered = takes.some(({ sample: { trial } }) =>
        [...others].some((other) => (preferences(trial.block, trial.variant, other) ?? null) !== null),
      );
      return isAnswered ? fault(takes[0]?.sample.trial.variant ?? '') : 'not_scored';
    },
    measure: (subject) => {
      const counted = countOf(subject);
      if (counted === null) return [];
      const { won, lost: events, neither, open } = counted;
      const trials = won + events + neither;
      const shared = { statistic: 'lost', n: trials, method: 'clopper_pearson' } as const;
      if (trials === 0) return [{ ...shared, value: null, interval: null, notes: [noted('not_scored')] }];
      const why = fault(subject.variant.name);
      return [
        {
          ...shared,
          value: events / trials,
          counted: { events, trials, possible: trials },
          interval: clopperPearson(events, trials, CONFIDENCE),
          notes: [...(open > 0 ? [noted('unscored', open)] : []), ...(why === null ? [] : [noted(why)])],
        },
      ];
    },
  };
}

const VOTES_MEANING =
  'Blind votes: how often people prefer the output of the baseline variant for the same prompt and seed. Of several ' +
  'votes on a pair the majority counts.';

export function votesMetric(source: Omit<PreferenceSource, 'name' | 'meaning'>): Metric {
  return preferenceMetric({ ...source, name: 'score.votes', meaning: VOTES_MEANING });
}

export function judgeMetric(
  { scorer, pairs, preferences, fault }: Judging,
  variants: PreferenceSource['variants'],
): Metric {
  const faultOf = (variant: string) => {
    // Identical outputs are not judged.
    const asked = pairs.filter(({ candidate, identical }) => candidate.variant === variant && !identical);
    if (asked.length === 0) return null;
    return asked.some(({ answers }) => answers.some(isAwaited)) ? 'not_scored' : fault;
  };
  return preferenceMetric({
    name: `${SCORE_PREFIX}${scorer.name}`,
    meaning: `A judge, a model that sees both outputs in both orders: how often it prefers that of the baseline variant for the same prompt and seed. It is asked: ${scorer.question}`,
    preferences,
    fault: faultOf,
    variants,
  });
}

/**
 * `mean`: over prompts and seeds, each the mean of its takes, with Student's t. Compared over cell pairs at any load
 * and order, which do not change what an output shows.
 */
export function scoreMetric(scoring: Scoring, given: GivenValue): Metric {
  const { scorer } = scoring;
  const { value, better, range, unit, meaning, label } = given;
  const scoredOf = (take: EffectiveSample) => (isShown(take) ? scoreOf(scoring, take) : null);
  const read = (take: EffectiveSample) => valueIn(scoredOf(take), value);
  const isAwaited = (take: EffectiveSample) => scorer.use === 'command' && isShown(take) && scoredOf(take) === null;
  const fault = controlFault(scoring, given);
  return {
    name: scoreMetricName(scorer, value),
    meaning: meaning ?? `What the scorer ${scorer.name} gives outputs, as \`${value}\`.`,
    label,
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
  const test = meanTest(cells, range === null ? null : { low: range[0], high: range[1] });
  const needs = cells.length > 0 && cells.length < FEWEST_FOR_MEAN ? [noted('needs_cells', FEWEST_FOR_MEAN)] : [];
  return {
    statistic: 'mean',
    value: test.estimate,
    n: test.n,
    interval: intervalOf(test, CONFIDENCE),
    method: 'student',
    notes: [...needs, ...notes],
  };
}
