export interface Outbox<T> {
  readonly add: (message: T, transfer?: readonly ArrayBuffer[]) => void;
  readonly flush: () => void;
}

/** Posts messages together, in order: a post that wakes the thread costs more than most messages. */
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
