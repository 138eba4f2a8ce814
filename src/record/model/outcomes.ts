export const OUTCOMES = [
  'ok',
  'moderated',
  'throttled',
  'no_credit',
  'rejected',
  'error',
  'timed_out',
  'unknown_charged',
  'invalid_media',
  'cancelled',
  'dropped',
  'defect',
] as const;
/** results/README.md describes each. */
export type Outcome = (typeof OUTCOMES)[number];
