/** Work on what calls brought, one piece after the other, and how much of it may wait. */
export interface Backlog {
  /** Does the work when its turn comes; resolves when it is done. Rejects with what the work throws. */
  readonly add: (bytes: number, work: () => void) => Promise<void>;
  /** Resolves once less than the bound waits. */
  readonly room: () => Promise<void>;
}

/** What a piece of work is held to weigh beside its bytes. */
const PIECE_BYTES = 4 * 1024;

/**
 * Does one piece of work in each turn of the event loop, so that replies and starts come in between however many
 * bodies have arrived at once. No call begins while more than `mostBytes` wait: where bodies come faster than the disk
 * takes them, memory holds this much and what is in flight, and no more.
 */
export function createBacklog(mostBytes: number): Backlog {
  const waiting: (() => void)[] = [];
  let wantRoom: (() => void)[] = [];
  let heldBytes = 0;
  let busy = false;

  const nextTurn = (): void => {
    const work = waiting.shift();
    busy = work !== undefined;
    work?.();
    if (work !== undefined) setImmediate(nextTurn);
  };
  const release = (bytes: number): void => {
    heldBytes -= bytes;
    if (heldBytes >= mostBytes) return;
    const wanted = wantRoom;
    wantRoom = [];
    for (const resolve of wanted) resolve();
  };

  return {
    add: (bytes, work) =>
      new Promise((resolve, reject) => {
        const weight = bytes + PIECE_BYTES;
        heldBytes += weight;
        waiting.push(() => {
          try {
            work();
            resolve();
          } catch (error) {
            reject(error);
          }
          release(weight);
        });
        if (!busy) nextTurn();
      }),
    room: () =>
      new Promise((resolve) => {
        if (heldBytes < mostBytes) resolve();
        else wantRoom.push(resolve);
      }),
  };
}
