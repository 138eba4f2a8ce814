import { EFFECTIVE_OUTCOMES, type EffectiveOutcome } from '../effective-outcomes.ts';

/** Trials that failed: what error_rate counts. A blocked prompt (`moderated`, `blank`) is an answer, and has its own rate. */
export const FAILED: ReadonlySet<EffectiveOutcome> = new Set([
  'rejected',
  'no_credit',
  'error',
  'timed_out',
  'unknown_charged',
  'invalid_media',
]);

/** Trials the service could answer: what error_rate is a share of. */
export const ANSWERABLE = allBut('cancelled', 'defect', 'dropped', 'throttled');

export function allBut(...leftOut: readonly EffectiveOutcome[]): ReadonlySet<EffectiveOutcome> {
  return new Set(EFFECTIVE_OUTCOMES.filter((outcome) => !leftOut.includes(outcome)));
}
