import { beganMs } from '../../record/codes.ts';
import type { Sample } from '../../record/journal.ts';
import { sum } from '../../statistics/mean.ts';
import { groupBy } from '../grouping.ts';

/**
 * The key of the slice a sample was sent in. Clocks of different segments have different origins: a slice that was
 * resumed is two.
 */
export function sliceOf({ segment, slice }: Pick<Sample, 'segment' | 'slice'>): string {
  return JSON.stringify([segment, slice]);
}

/**
 * Milliseconds from the first start (under open load, first due time) to the last end of one segment's samples, however
 * they ended. Waiting while throttled counts, since it holds the slot. 0 without samples.
 */
export function spanMs(samples: readonly Sample[]): number {
  if (samples.length === 0) return 0;
  let first = Infinity;
  let last = -Infinity;
  for (const sample of samples) {
    first = Math.min(first, sample.marks.scheduledMs ?? beganMs(sample) - sample.throttleWaitMs);
    last = Math.max(last, sample.endedMs);
  }
  return last - first;
}

export function ownTimeMs(samples: readonly Sample[]): number {
  const slices = groupBy(samples, sliceOf);
  return sum([...slices.values()].map((members) => spanMs(members)));
}
