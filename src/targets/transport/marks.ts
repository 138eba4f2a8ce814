/**
 * When the steps of a call happened, in milliseconds from the run's start on the monotonic clock.
 * A mark that is absent was never reached. Marks from `startedMs` on are those of the last attempt.
 */
export interface Marks {
  /** Open load only: when the call was due. */
  readonly scheduledMs?: number;
  /** A slot was free, the intent was written, the call began. */
  readonly startedMs: number;
  /** A new socket was ready; absent where an open one was used again. */
  readonly connectedMs?: number;
  /** The last byte of the request body was written. */
  readonly sentMs?: number;
  /** The head of the submit reply was parsed. */
  readonly headersMs?: number;
  /** The submit reply had ended, and did not refuse. */
  readonly acceptedMs?: number;
  /** The submit reply had ended, and refused; in place of `acceptedMs`. */
  readonly refusedMs?: number;
  /** The reply of the first poll that said running was received. */
  readonly runningMs?: number;
  /**
   * The last poll that said not begun, before one said running, was sent; without one, `acceptedMs`. Absent where
   * nothing was polled, and where polls do not tell waiting from work.
   */
  readonly lastQueuedMs?: number;
  /** The last poll that said not yet was sent; without one, `acceptedMs`. Absent where nothing was polled. */
  readonly lastPendingMs?: number;
  /** The reply that said done was received. Its head where it holds the bytes, else its end. */
  readonly readyMs?: number;
  /** First byte of the media. */
  readonly firstByteMs?: number;
  /** Last byte of the media: the caller has one asset. */
  readonly doneMs?: number;
}
