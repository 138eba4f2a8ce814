import { OUTCOMES, type Outcome } from '../../record/model/sample.ts';

/** Trials that failed: what error_rate counts. A refused prompt (`moderated`) is an answer, and has its own rate. */
export const FAILED: ReadonlySet<Outcome> = new Set([
  'rejected',
  'no_credit',
  'error',
  'timed_out',
  'unknown_charged',
  'invalid_media',
]);

/** Trials the service could answer: what error_rate is a share of. */
export const ANSWERABLE = allBut('cancelled', 'defect', 'dropped', 'throttled');

/** All outcomes but some. */
export function allBut(...leftOut: readonly Outcome[]): ReadonlySet<Outcome> {
  return new Set(OUTCOMES.filter((outcome) => !leftOut.includes(outcome)));
}
