import type { Outcome } from '../../record/model/outcomes.ts';
import type { FailuresExceeded } from '../../record/model/stop.ts';
import { clopperPearsonLower } from '../../statistics/rates/clopper-pearson.ts';

const LEAST_SAMPLES = 20;

/** One-sided. A service that fails exactly at the limit stops a run in about one of a thousand checks. */
const STOP_CONFIDENCE = 0.999;

/** Neither success nor failure of the service. */
const LEFT_OUT: ReadonlySet<Outcome> = new Set(['cancelled', 'dropped', 'defect']);

/** The service did its work: media, or refusal of a prompt. Every other outcome spends without measuring. */
const SERVED: ReadonlySet<Outcome> = new Set(['ok', 'moderated']);

export interface FailureLimit {
  readonly count: (outcome: Outcome) => FailuresExceeded | null;
}

/**
 * From 20 samples on, stops a run when the one-sided 99.9 % lower bound (Clopper-Pearson) of the failure rate is above
 * `limit` (a share, 0 to 1). Unlike in error_rate, requests that stayed throttled count as failures: a run in which
 * nothing gets through should stop.
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

/**
 * Null unless the failures significantly exceed the limit.
 * @param outcomes how many samples have each outcome
 */
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
  if (total < LEAST_SAMPLES || clopperPearsonLower(failed, total, STOP_CONFIDENCE) <= limit) return null;
  return { failed, samples: total, limit };
}
