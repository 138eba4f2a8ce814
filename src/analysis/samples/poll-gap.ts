import { median, sortSample } from '../../statistics/quantile.ts';
import type { EffectiveSample } from '../effective-sample.ts';

/** Medians in milliseconds. */
export interface PollGap {
  /** From the last unfinished poll to the first finished one. */
  readonly gapMs: number;
  readonly medianMs: number;
}

/** Of polled and delivered takes; null without any. */
export function pollGapOf(samples: readonly EffectiveSample[]): PollGap | null {
  const polled = samples.filter(({ outcome, sample }) => outcome === 'ok' && sample.polls > 0);
  const gapMs = median(
    sortSample(
      polled.flatMap(({ timings: { generationMs: high, generationLowMs: low } }) =>
        high === null || low === null ? [] : [high - low],
      ),
    ),
  );
  const medianMs = median(
    sortSample(polled.flatMap(({ timings: { totalMs } }) => (totalMs === null ? [] : [totalMs]))),
  );
  return gapMs === null || medianMs === null ? null : { gapMs, medianMs };
}
