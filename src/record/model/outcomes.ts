/** What can become of a trial. */
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
/** What became of a trial, or of an effective sample: results/README.md describes each. */
export type Outcome = (typeof OUTCOMES)[number];
