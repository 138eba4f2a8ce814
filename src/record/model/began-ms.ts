import type { Sample } from './sample.ts';

/** When a sample's call was started; of a dropped one, when it was due. */
export function beganMs({ marks }: Pick<Sample, 'marks'>): number {
  return marks.startedMs ?? marks.scheduledMs;
}
