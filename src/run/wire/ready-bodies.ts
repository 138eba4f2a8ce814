import pLimit from 'p-limit';
import { type EncodedBody, encodeInSteps } from '../../targets/request/encode-body.ts';
import type { WireBody } from '../../targets/request/request.ts';

/** Encodes bodies on this thread, so that the one that stamps does not have to. */
export type ReadyBodies = (body: WireBody) => Promise<EncodedBody | null> | EncodedBody | null;

/**
 * A small body is encoded at once. Large ones are encoded one after the other, in the order they are asked for, with a turn
 * of the event loop after each step: replies and starts of other calls come in between, and only the body that is next
 * takes memory.
 */
export function createReadyBodies(nextTurn: () => Promise<unknown>): ReadyBodies {
  const oneByOne = pLimit(1);
  return (body) => {
    const steps = encodeInSteps(body);
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
  };
}
