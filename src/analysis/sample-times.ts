import { groupBy } from '../kit/grouping.ts';
import { beganMs } from '../record/codes.ts';
import type { Sample } from '../record/journal.ts';
import { sum } from '../statistics/mean.ts';
import { median, sortSample } from '../statistics/quantile.ts';
import { clopperPearsonLower } from '../statistics/rate-interval.ts';
import type { EffectiveSample } from './effective-sample.ts';

/** The slice of a sample. A resumed slice counts as two, since clocks of segments have different origins. */
export function sliceOf({ segment, slice }: Pick<Sample, 'segment' | 'slice'>): string {
  return JSON.stringify([segment, slice]);
}

/** When it was due (open load) or sent, before any wait for a rate limit. On the clock of its segment. */
export function firstSentMs(sample: Sample): number {
  return sample.marks.scheduledMs ?? beganMs(sample) - sample.throttleWaitMs;
}

/** Milliseconds from the first start (open load: first due time) to the last end in a segment; 0 without samples. */
export function spanMs(samples: readonly Sample[]): number {
  if (samples.length === 0) return 0;
  let first = Infinity;
  let last = -Infinity;
  for (const sample of samples) {
    first = Math.min(first, firstSentMs(sample));
    last = Math.max(last, sample.endedMs);
  }
  return last - first;
}

export function ownTimeMs(samples: readonly Sample[]): number {
  const slices = groupBy(samples, sliceOf);
  return sum([...slices.values()].map((members) => spanMs(members)));
}

/** The share of a median latency that polls may leave open without a warning. */
export const MOST_LEFT_OPEN = 0.1;

/** With more, polls determine the latency, and no rule is decided by it. */
export const MOST_TO_DECIDE = 0.2;

/** Gaps between polls to choose from, in milliseconds. */
const POLL_GAPS_MS = [5000, 2000, 1000, 500, 200, 100, 50, 20, 10];

/** What to set so that polls leave half of what a report lets pass: `set wait.poll.min_every to 200ms`; null where none is so short. */
export function pollRemedy(totalMs: number): string | null {
  const proposedMs = POLL_GAPS_MS.find((ms) => ms <= (MOST_LEFT_OPEN / 2) * totalMs);
  return proposedMs === undefined ? null : `set wait.poll.min_every to ${proposedMs}ms`;
}

/** Medians in milliseconds. */
interface PollGap {
  /** From the last unfinished poll to the first finished one. */
  readonly gapMs: number;
  readonly medianMs: number;
}

/** The gap of polled and delivered takes; null without any, or if it leaves at most this share of their median open. */
export function coarsePolls(samples: readonly EffectiveSample[], mostLeftOpen: number): PollGap | null {
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
  return gapMs === null || medianMs === null || gapMs <= mostLeftOpen * medianMs ? null : { gapMs, medianMs };
}

/** A smaller share of samples with late stamps affects no median noticeably. */
export const TOLERATED_LATE = 0.05;

/** One-sided, as in `limits.failures`: a machine that is just fit is called unfit in one of a thousand runs. */
const LATENESS_CONFIDENCE = 0.999;

export function areTooManyLate({ late, samples }: { readonly late: number; readonly samples: number }): boolean {
  return samples > 0 && clopperPearsonLower(late, samples, LATENESS_CONFIDENCE) > TOLERATED_LATE;
}

/**
 * An open load must last this many times a limit on slow calls: in less time all calls may share one quiet period
 * (`npm run simulate -- dependence`).
 */
export const LIMITS_OF_LOAD = 10;
