export interface Backlog {
  readonly add: <T>(bytes: number, work: () => T) => Promise<T>;
  /** Resolves once less than `mostBytes` wait, and fewer than `mostPieces`. */
  readonly room: (mostPieces?: number) => Promise<void>;
}

/** What a piece counts beside its bytes. */
const PIECE_BYTES = 4 * 1024;

/**
 * Does one piece of work per turn of the event loop, so that replies and starts come in between. Callers wait for
 * `room` before a call, which limits memory to `mostBytes` and what is in flight.
 */
export function createBacklog(mostBytes: number): Backlog {
  const waiting: (() => void)[] = [];
  let wantRoom: { readonly mostPieces: number; readonly resolve: () => void }[] = [];
  let heldBytes = 0;
  let heldPieces = 0;
  let busy = false;

  const nextTurn = (): void => {
    const work = waiting.shift();
    busy = work !== undefined;
    work?.();
    if (work !== undefined) setImmediate(nextTurn);
  };
  const hasRoom = (mostPieces: number) => heldBytes < mostBytes && heldPieces < mostPieces;
  const release = (bytes: number): void => {
    heldBytes -= bytes;
    heldPieces -= 1;
    const wanted = wantRoom;
    wantRoom = wanted.filter(({ mostPieces }) => !hasRoom(mostPieces));
    for (const { mostPieces, resolve } of wanted) if (hasRoom(mostPieces)) resolve();
  };

  return {
    add: (bytes, work) =>
      new Promise((resolve, reject) => {
        const weight = bytes + PIECE_BYTES;
        heldBytes += weight;
        heldPieces += 1;
        waiting.push(() => {
          try {
            resolve(work());
          } catch (error) {
            reject(error);
          }
          release(weight);
        });
        if (!busy) nextTurn();
      }),
    room: (mostPieces = Number.POSITIVE_INFINITY) =>
      new Promise((resolve) => {
        if (hasRoom(mostPieces)) resolve();
        else wantRoom.push({ mostPieces, resolve });
      }),
  };
}
