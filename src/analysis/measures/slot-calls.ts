import { beganMs } from '../../record/codes.ts';
import type { Sample } from '../../record/journal.ts';
import type { ClosedLoad } from '../../suite/load.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import { sliceOf } from '../samples/span.ts';
import type { SlotCall } from './closed-throughput.ts';

/** Calls by slice, from the first attempt (a throttled one holds the slot) to the last byte or the failure. */
export function slotCalls(
  samples: readonly EffectiveSample[],
  counts: (take: EffectiveSample) => boolean,
): readonly (readonly SlotCall[])[] {
  const slices = groupBy(samples, ({ sample }) => sliceOf(sample));
  return [...slices.values()].map((members) =>
    members.map((take) => ({
      fromMs: beganMs(take.sample) - take.sample.throttleWaitMs,
      untilMs: leftMs(take.sample),
      ok: counts(take),
    })),
  );
}

/** The last byte, not when its bytes were stored. */
export function leftMs({ marks, endedMs }: Sample): number {
  return marks.doneMs ?? endedMs;
}

/** Each step of a sweep has its own number of slots. */
export function slotsOf(step: number | null, load: Pick<ClosedLoad, 'concurrency'>): number {
  return step ?? load.concurrency;
}
