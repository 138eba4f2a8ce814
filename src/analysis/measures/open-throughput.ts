import type { Sample } from '../../record/model/sample.ts';
import { groupBy } from '../grouping.ts';
import { sliceOf } from '../samples/span.ts';
import { leftMs } from './slot-calls.ts';

/** A call of open load. Dropped ones are due too. */
export interface DueCall {
  readonly sample: Sample;
  readonly ok: boolean;
}

/**
 * Ok outputs done by the last due time, per second from the first due time, over all slices. What is done later was
 * worked off after the load had ended. Null where no time lies between two due times.
 */
export function openThroughput(calls: readonly DueCall[]): number | null {
  let outputs = 0;
  let lastedMs = 0;
  for (const slice of groupBy(calls, ({ sample }) => sliceOf(sample)).values()) {
    const due = slice.flatMap(({ sample: { marks } }) => marks.scheduledMs ?? []);
    const first = due.reduce((least, ms) => Math.min(least, ms), Infinity);
    const last = due.reduce((most, ms) => Math.max(most, ms), -Infinity);
    if (!(last > first)) continue;
    lastedMs += last - first;
    outputs += slice.filter(({ sample, ok }) => ok && leftMs(sample) <= last).length;
  }
  return lastedMs === 0 ? null : (1000 * outputs) / lastedMs;
}
