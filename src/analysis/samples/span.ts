import { beganMs } from '../../record/codes.ts';
import type { Sample } from '../../record/journal.ts';
import { sum } from '../../statistics/mean.ts';
import { groupBy } from '../grouping.ts';

/** The slice of a sample. A resumed slice counts as two, since clocks of segments have different origins. */
export function sliceOf({ segment, slice }: Pick<Sample, 'segment' | 'slice'>): string {
  return JSON.stringify([segment, slice]);
}

/** Milliseconds from the first start (open load: first due time) to the last end in a segment; 0 without samples. */
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
