/** The gap grows with what is waited for: 2 % of a latency is an error one can live with, at any length. */
const SHARE_OF_ELAPSED = 0.02;

/** Milliseconds from the sending of one poll to the next, `elapsedMs` after the call began. */
export function pollGapMs(minEveryMs: number, elapsedMs: number): number {
  return Math.max(minEveryMs, SHARE_OF_ELAPSED * elapsedMs);
}

/**
 * Milliseconds from the first poll, which is sent at once, to the second: a random share of the gap, so that polls fall
 * at no fixed phase of the jobs and of each other, and the mean error of what they find is half a gap whatever the
 * service's own rhythm.
 *
 * @param share in [0, 1)
 */
export function secondPollGapMs(minEveryMs: number, elapsedMs: number, share: number): number {
  return share * pollGapMs(minEveryMs, elapsedMs);
}
