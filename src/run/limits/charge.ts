import type { Trial } from '../../plan/trial.ts';
import type { Sample } from '../../record/model/sample.ts';
import type { CostBounds } from '../../targets/request/cost-bounds.ts';

/** Submits of a trial by an earlier process. */
export interface Submitted {
  readonly trial: Trial;
  /** How often it was submitted. */
  readonly attempts: number;
  /** What became of them; null where nobody knows, or the job still runs. */
  readonly sample: Sample | null;
}

/**
 * What the submits of a trial count as, in US dollars, once its end is known: each at its most, but for the last where its
 * reply says less or more: a cost, or a number of outputs that are paid for each. A failure counts like a success.
 */
export function chargeOf({ attempts, sample }: Omit<Submitted, 'trial'>, bounds: CostBounds): number {
  if (attempts === 0) return 0;
  return (attempts - 1) * bounds.mostUsd + (sample === null ? bounds.mostUsd : lastCharge(sample, bounds));
}

function lastCharge(sample: Sample, { mostUsd, perOutputUsd }: CostBounds): number {
  if (sample.reported.costUsd !== null) return sample.reported.costUsd;
  const isPerOutput = perOutputUsd !== null && (sample.outcome === 'ok' || sample.outcome === 'invalid_media');
  return isPerOutput ? perOutputUsd * sample.outputs.length : mostUsd;
}
