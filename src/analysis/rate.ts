import type { Outcome } from '../record/sample.ts';
import { clusteredRate } from '../statistics/clustered-rate.ts';
import type { JudgedSample, Measure } from './analysis.ts';
import { groupBy } from './grouping.ts';
import { CONFIDENCE, measureOf } from './measure.ts';
import type { Subject } from './metric.ts';
import { counted } from './wording.ts';

/** A rate by what became of trials: the share of `events` among `counted`. */
export interface RateDefinition {
  readonly metric: string;
  /** Outcomes the rate is about; everything in `events` is in here. */
  readonly counted: ReadonlySet<Outcome>;
  readonly events: ReadonlySet<Outcome>;
  /** Events beside those of an outcome. */
  readonly isEvent?: (judged: JudgedSample) => boolean;
}

/**
 * A rate as a measure (a share; less is better), its interval over prompts as clusters. Within one prompt, and
 * where there is only one, its trials count each and the interval speaks of that prompt alone.
 */
export function rateMeasure(
  subject: Subject,
  { metric, counted: among, events, isEvent = () => false }: RateDefinition,
): Measure {
  const trials = subject.samples.filter(({ outcome }) => among.has(outcome));
  const clusters = [...groupBy(trials, ({ sample }) => sample.trial.prompt).values()].map((group) => ({
    trials: group.length,
    events: group.filter((judged) => events.has(judged.outcome) || isEvent(judged)).length,
  }));
  const rate = clusteredRate(clusters, CONFIDENCE);
  const shared = { metric, statistic: 'rate', unit: '1', better: 'lower' } as const;
  if (rate === null) {
    return measureOf(subject, {
      ...shared,
      value: null,
      n: 0,
      interval: null,
      method: METHOD_ONE,
      notes: ['no trial to count'],
    });
  }
  return measureOf(subject, {
    ...shared,
    value: rate.rate,
    n: rate.trials,
    interval: rate,
    method: rate.clusters === 1 ? METHOD_ONE : METHOD_CLUSTERED,
    notes: rateNotes(subject, rate),
  });
}

const METHOD_ONE = 'Clopper-Pearson';
const METHOD_CLUSTERED = 'Clopper-Pearson on n/deff (Korn-Graubard), prompts as clusters';

function rateNotes(
  subject: Subject,
  { rate, clusters, effectiveTrials }: { rate: number; clusters: number; effectiveTrials: number },
): string[] {
  if (clusters === 1) return subject.prompt === null ? ['one prompt: says nothing of others'] : [];
  if (rate === 0 || rate === 1) return [`interval from n = ${counted(clusters, 'prompt')}`];
  return [`interval from n/deff = ${effectiveTrials.toFixed(1)}`];
}
