import { clopperPearson } from '../../statistics/rates/clopper-pearson.ts';
import { type Cluster, clusteredRate } from '../../statistics/rates/clustered-rate.ts';
import { sum } from '../../statistics/samples/mean.ts';
import type { EffectiveSample } from '../analysis.ts';
import { CONFIDENCE } from '../confidence.ts';
import type { EffectiveOutcome } from '../effective-outcomes.ts';
import { groupBy } from '../grouping.ts';
import { noted } from '../note.ts';
import type { Finding } from './measure.ts';
import type { Scale, Subject } from './metric.ts';
import type { EventReading } from './take-reading.ts';

/** A rate by what became of trials: the share of `events` among `counted`. */
export interface RateDefinition {
  /** Outcomes the rate is about; everything in `events` is in here. */
  readonly counted: ReadonlySet<EffectiveOutcome>;
  readonly events: ReadonlySet<EffectiveOutcome>;
  /** Events beside those of an outcome. */
  readonly isEvent?: (effective: EffectiveSample) => boolean;
}

/** How every rate is read: a share, and less is better. */
export const RATE_SCALE = { unit: '1', better: 'lower' } as const satisfies Scale;

/** What a rate reads from a take: whether it is an event, of those that count. */
export function rateReading({ counted, events, isEvent = () => false }: RateDefinition): EventReading {
  return {
    statistic: 'rate',
    effect: 'rate',
    read: (take) => (counted.has(take.outcome) ? events.has(take.outcome) || isEvent(take) : null),
  };
}

/**
 * A rate with the interval of Clopper and Pearson over takes. It speaks of these prompts and assumes independent takes;
 * where prompts have rates of their own it is conservative, since the variance of a sum of unequal Bernoulli trials is
 * never above the binomial's (Hoeffding, Annals of Mathematical Statistics 27, 1956, 713-721).
 */
export function rateFinding(subject: Subject, definition: RateDefinition): Finding {
  const { events, trials } = totalOf(clustersOf(subject, definition));
  return {
    statistic: 'rate',
    value: trials === 0 ? null : events / trials,
    n: trials,
    interval: trials === 0 ? null : clopperPearson(events, trials, CONFIDENCE),
    method: 'clopper_pearson',
    notes: trials === 0 ? [noted('no_trial')] : [],
  };
}

/**
 * What the rate of other prompts like these may be, for the method part of the report alone: by prompts as clusters. One
 * prompt says nothing of others.
 */
export function otherPromptsFinding(subject: Subject, definition: RateDefinition): Finding {
  const rate = clusteredRate(clustersOf(subject, definition), CONFIDENCE);
  const shared = { statistic: 'rate_other_prompts', n: rate?.trials ?? 0, method: 'korn_graubard' } as const;
  if (rate === null) return { ...shared, value: null, interval: null, notes: [noted('no_trial')] };
  if (rate.clusters < FEWEST_PROMPTS) {
    return { ...shared, value: null, interval: null, notes: [noted('needs_prompts', FEWEST_PROMPTS)] };
  }
  const effective = Math.round(rate.effectiveTrials * 10) / 10;
  return { ...shared, value: rate.rate, interval: rate, notes: [noted('effective_n', effective)] };
}

const FEWEST_PROMPTS = 2;

/** The trials that count, by prompt. */
function clustersOf(subject: Subject, { counted: among, events, isEvent = () => false }: RateDefinition): Cluster[] {
  const trials = subject.samples.filter(({ outcome }) => among.has(outcome));
  return [...groupBy(trials, ({ sample }) => sample.trial.prompt).values()].map((group) => ({
    trials: group.length,
    events: group.filter((effective) => events.has(effective.outcome) || isEvent(effective)).length,
  }));
}

function totalOf(clusters: readonly Cluster[]): Cluster {
  return {
    events: sum(clusters.map(({ events }) => events)),
    trials: sum(clusters.map(({ trials }) => trials)),
  };
}
