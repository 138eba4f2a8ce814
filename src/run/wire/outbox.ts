/** Messages to another thread, several in one post. */
export interface Outbox<T> {
  readonly add: (message: T, transfer?: readonly ArrayBuffer[]) => void;
  /** Posts what waits now. */
  readonly flush: () => void;
}

/**
 * Collects messages until `schedule` calls back, and posts them together: a post and its waking of the other thread
 * cost more than most messages. Messages arrive in the order they were added.
 */
export function createOutbox<T>(
  post: (messages: readonly T[], transfer: readonly ArrayBuffer[]) => void,
  schedule: (flush: () => void) => void,
): Outbox<T> {
  let messages: T[] = [];
  let transfers: ArrayBuffer[] = [];
  const flush = (): void => {
    if (messages.length === 0) return;
    const posted = messages;
    const transfer = transfers;
    messages = [];
    transfers = [];
    post(posted, transfer);
  };
  return {
    add: (message, transfer = []) => {
      if (messages.length === 0) schedule(flush);
      messages.push(message);
      transfers.push(...transfer);
    },
    flush,
  };
}
