import pLimit from 'p-limit';
import { type EncodedBody, encodeInSteps, STEP_BYTES } from '../../targets/outgoing.ts';
import type { WireBody } from '../../targets/request.ts';

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

/** Encodes bodies on this thread, to free the one that takes timestamps. */
interface ReadyBodies {
  /** Large bodies take turns of the event loop between steps, so that replies and starts come in between. */
  readonly encode: (body: WireBody) => Promise<EncodedBody | null> | EncodedBody | null;
  /** Frees the memory of a body for another: nobody may read it any more. */
  readonly giveBack: (body: EncodedBody) => void;
}

/**
 * Reuses shared memory for large bodies. Transferred and dropped memory would make V8 collect all garbage of the wire
 * thread for each call of 8 MiB, which delays timestamps by 5 to 40 ms.
 */
export function createReadyBodies(nextTurn: () => Promise<unknown>): ReadyBodies {
  const oneByOne = pLimit(1);
  const free: SharedArrayBuffer[] = [];
  const take = (bytes: number): Buffer => {
    if (bytes <= STEP_BYTES) return Buffer.allocUnsafeSlow(bytes);
    // Bodies of a run have similar sizes: what fits one fits most.
    const fitting = free.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= 2 * bytes);
    const [memory = new SharedArrayBuffer(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES)] =
      fitting < 0 ? [] : free.splice(fitting, 1);
    return Buffer.from(memory, 0, bytes);
  };
  return {
    encode: (body) => {
      const steps = encodeInSteps(body, take);
      const first = steps.next();
      if (first.done === true) return first.value;
      return oneByOne(async () => {
        let step = steps.next();
        while (step.done !== true) {
          await nextTurn();
          step = steps.next();
        }
        return step.value;
      });
    },
    giveBack: ({ bytes: { buffer } }) => {
      if (buffer instanceof SharedArrayBuffer) free.push(buffer);
    },
  };
}
