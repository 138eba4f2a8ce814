import { beganMs } from '../../record/codes.ts';
import type { Sample } from '../../record/journal.ts';
import type { ClosedLoad } from '../../suite/load.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import { sliceOf } from '../samples/span.ts';
import type { SlotCall } from './closed-throughput.ts';

/**
 * A variant's calls by their slices. A call lasts from its first attempt (a refusal that is waited out holds the slot)
 * to the last byte, both stamped by the wire; a failure lasts to its end.
 */
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

/** When a call was over for the service: its last byte, not when its bytes had been kept. */
export function leftMs({ marks, endedMs }: Sample): number {
  return marks.doneMs ?? endedMs;
}

/** One step of a sweep has its own number of slots. */
export function slotsOf(step: number | null, load: Pick<ClosedLoad, 'concurrency'>): number {
  return step ?? load.concurrency;
}
