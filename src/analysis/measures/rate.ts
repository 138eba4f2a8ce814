import { sum } from '../../statistics/mean.ts';
import { type Cluster, clopperPearson, clusteredRate } from '../../statistics/rate-interval.ts';
import type { Load } from '../../suite/load.ts';
import type { EffectiveOutcome, EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import type { EventReading, Finding, Gated, Scale, Subject } from '../metric.ts';
import { noted } from '../note.ts';
import { CONFIDENCE } from './confidence.ts';
import { dependenceOfEvents, worth } from './dependence.ts';

export interface RateDefinition {
  readonly counted: ReadonlySet<EffectiveOutcome>;
  readonly events: ReadonlySet<EffectiveOutcome>;
  /** Events besides those of an outcome. */
  readonly isEvent?: (effective: EffectiveSample) => boolean;
  /** Whether dependent latencies widen this rate, because the same causes produce its events. */
  readonly followsLatency?: (load: Load) => boolean;
}

export const RATE_SCALE = { unit: '1', better: 'lower' } as const satisfies Scale;

export const RATE_GATE: Gated = { statistics: [{ statistic: 'rate', bounded: { by: 'events', among: 'takes' } }] };

export function rateReading({ counted, events, isEvent = () => false }: RateDefinition): EventReading {
  return {
    statistic: 'rate',
    effect: 'rate',
    read: (take) => (counted.has(take.outcome) ? events.has(take.outcome) || isEvent(take) : null),
  };
}

/**
 * Clopper and Pearson over the effective number of takes. It is conservative if prompts have different rates: a sum of
 * unequal Bernoulli trials never has more variance than the binomial (Hoeffding, Annals of Mathematical Statistics 27,
 * 1956, 713-721).
 */
export function rateFinding(subject: Subject, definition: RateDefinition): Finding {
  const { events, trials } = totalOf(clustersOf(subject, definition));
  const shared = { statistic: 'rate', n: trials, method: 'clopper_pearson' } as const;
  if (trials === 0) return { ...shared, value: null, interval: null, notes: [noted('no_trial')] };
  const value = events / trials;
  const effectiveN = worthOf(subject, definition, trials);
  const counted =
    effectiveN === trials
      ? { events, trials, possible: trials }
      : { events: value * effectiveN, trials: effectiveN, possible: effectiveN };
  const interval = clopperPearson(counted.events, counted.trials, CONFIDENCE);
  const notes = effectiveN === trials ? [] : [noted('effective_n', tenths(effectiveN))];
  return { ...shared, value, counted, interval, notes };
}

/**
 * Closed load widens only if a permutation test is significant, so that chance alone does not undecide a planned rule.
 * Under open load calls wait for each other, and the test may miss it.
 */
function worthOf(
  subject: Subject,
  { counted, events, isEvent = () => false, followsLatency }: RateDefinition,
  trials: number,
): number {
  const latencies = followsLatency?.(subject.plan.load) === true ? subject.dependence : null;
  // The takes of one prompt are too far apart to show how events depend on each other.
  const eventDependence =
    subject.prompt !== null
      ? null
      : dependenceOfEvents(
          subject.samples.filter(({ outcome }) => counted.has(outcome)),
          (take) => events.has(take.outcome) || isEvent(take),
        );
  const isOpen = subject.plan.load.mode === 'open';
  return [latencies, eventDependence].reduce(
    (least, dependence) =>
      dependence !== null && (isOpen || dependence.significant) ? Math.min(least, worth(trials, dependence)) : least,
    trials,
  );
}

/** The rate of similar prompts, with prompts as clusters, for the method section. One prompt says nothing. */
export function otherPromptsFinding(subject: Subject, definition: RateDefinition): Finding {
  const clusters = clustersOf(subject, definition);
  const rate = clusteredRate(clusters, CONFIDENCE, worthOf(subject, definition, totalOf(clusters).trials));
  const shared = { statistic: 'rate_other_prompts', n: rate?.trials ?? 0, method: 'korn_graubard' } as const;
  if (rate === null) return { ...shared, value: null, interval: null, notes: [noted('no_trial')] };
  if (rate.clusters < FEWEST_PROMPTS) {
    return { ...shared, value: null, interval: null, notes: [noted('needs_prompts', FEWEST_PROMPTS)] };
  }
  return { ...shared, value: rate.rate, interval: rate, notes: [noted('effective_n', tenths(rate.effectiveTrials))] };
}

const FEWEST_PROMPTS = 2;

function clustersOf(subject: Subject, { counted: among, events, isEvent = () => false }: RateDefinition): Cluster[] {
  const trials = subject.samples.filter(({ outcome }) => among.has(outcome));
  return [...groupBy(trials, ({ sample }) => sample.trial.prompt).values()].map((group) => ({
    trials: group.length,
    events: group.filter((effective) => events.has(effective.outcome) || isEvent(effective)).length,
  }));
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function totalOf(clusters: readonly Cluster[]): Cluster {
  return {
    events: sum(clusters.map(({ events }) => events)),
    trials: sum(clusters.map(({ trials }) => trials)),
  };
}
