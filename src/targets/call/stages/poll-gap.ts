/** The gap grows with the time waited: an error of 2 % of a latency is acceptable. */
const SHARE_OF_ELAPSED = 0.02;

/** Milliseconds from one poll to the next, `elapsedMs` after the call began. */
export function pollGapMs(minEveryMs: number, elapsedMs: number): number {
  return Math.max(minEveryMs, SHARE_OF_ELAPSED * elapsedMs);
}

/**
 * Milliseconds from the first poll, sent at once, to the second: a random share of the gap, so that polls have no fixed
 * phase to jobs or to each other, and the mean error is half a gap for any service.
 * @param share in [0, 1)
 */
export function secondPollGapMs(minEveryMs: number, elapsedMs: number, share: number): number {
  return share * pollGapMs(minEveryMs, elapsedMs);
}
