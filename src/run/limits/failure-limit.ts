import type { Outcome } from '../../record/model/outcomes.ts';
import type { FailuresExceeded } from '../../record/model/stop.ts';
import { clopperPearsonLower } from '../../statistics/rates/clopper-pearson.ts';

/** Fewer samples than this say too little to stop a run. */
const LEAST_SAMPLES = 20;

/** One-sided: a service that fails just at the limit stops a run in about one of a thousand looks. */
const CONFIDENCE = 0.999;

/** Neither a success nor a failure of the service. */
const LEFT_OUT: ReadonlySet<Outcome> = new Set(['cancelled', 'dropped', 'defect']);

/** Media, or a refusal of a prompt: the service did its work. Everything else spends without measuring. */
const SERVED: ReadonlySet<Outcome> = new Set(['ok', 'moderated']);

/** Watches the share of failures while a run goes on. */
export interface FailureLimit {
  /** Counts a sample; gives what to stop with once the limit is significantly exceeded, else null. */
  readonly count: (outcome: Outcome) => FailuresExceeded | null;
}

/**
 * Stops a run from 20 samples on when the one-sided 99.9 % lower bound (Clopper-Pearson) of the failure rate is above
 * `limit` (a share, 0 to 1). Requests that stayed throttled count as failures here, unlike in error_rate: a run in
 * which nothing gets through should stop.
 */
export function createFailureLimit(limit: number): FailureLimit {
  const outcomes = new Map<Outcome, number>();
  return {
    count: (outcome) => {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      return exceedFailureLimit(outcomes, limit);
    },
  };
}

/** The numbers that say so when samples with these outcomes (how many of each) significantly exceed the limit; else null. */
export function exceedFailureLimit(
  outcomes: Iterable<readonly [Outcome, number]>,
  limit: number,
): FailuresExceeded | null {
  let failed = 0;
  let total = 0;
  for (const [outcome, count] of outcomes) {
    if (LEFT_OUT.has(outcome)) continue;
    total += count;
    if (!SERVED.has(outcome)) failed += count;
  }
  if (total < LEAST_SAMPLES || clopperPearsonLower(failed, total, CONFIDENCE) <= limit) return null;
  return { failed, samples: total, limit };
}
