import type { Sample } from './sample.ts';

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

/** When a sample's call was started; of a dropped one, when it was due. */
export function beganMs({ marks }: Pick<Sample, 'marks'>): number {
  return marks.startedMs ?? marks.scheduledMs;
}
