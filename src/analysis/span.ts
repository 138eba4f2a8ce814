import type { Sample } from '../record/sample.ts';

/**
 * Milliseconds from the first start to the last end of samples of one segment; waiting for a throttled request
 * belongs to it, since its slot was held. The end of a trial that brought nothing is the last thing seen of it, of
 * one that timed out at least its time limit. 0 of none.
 */
export function spanMs(samples: readonly Sample[], timeoutMsOf: (sample: Sample) => number): number {
  if (samples.length === 0) return 0;
  let first = Infinity;
  let last = -Infinity;
  for (const sample of samples) {
    first = Math.min(first, sample.marks.startedMs - sample.throttleWaitMs);
    last = Math.max(last, endMs(sample, timeoutMsOf(sample)));
  }
  return last - first;
}

function endMs({ marks, outcome }: Sample, timeoutMs: number): number {
  const { scheduledMs: _due, ...reached } = marks;
  const seen = Math.max(...Object.values(reached));
  return outcome === 'timed_out' ? Math.max(seen, marks.startedMs + timeoutMs) : seen;
}
