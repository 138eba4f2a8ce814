import { randomUUID } from 'node:crypto';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createRandom } from '../statistics/random.ts';
import { type CallResult, performCall } from '../target/call.ts';
import { createTransport } from '../target/transport.ts';
import { readClock, sleep, wallMs } from './clock.ts';
import type { FromWire, ToWire, WireCall, WireSetup } from './wire-messages.ts';

/*
 * The wire: a thread that does HTTP and time stamps, and nothing else. Hashing, writing and deciding happen elsewhere,
 * so that no work of ours stands between a byte's arrival and its stamp.
 */

function serveCalls(port: MessagePort, setup: WireSetup): void {
  const now = readClock(setup.origin);
  const transport = createTransport({ now, connections: setup.connections });
  const random = createRandom(setup.jitter);
  const hold = new AbortController();
  const abort = new AbortController();
  const proceed = new Map<number, (again: boolean) => void>();
  const send = (message: FromWire, transfer: readonly ArrayBuffer[] = []) => port.postMessage(message, transfer);

  const makeCall = async (call: number, request: WireCall, watched: boolean): Promise<void> => {
    const target = setup.targets[request.target];
    if (target === undefined) throw new Error(`the wire was not given the target ${request.target}`);
    const result = await performCall(
      { ...request, target },
      {
        transport,
        now,
        sleep,
        wallMs,
        uniqueKey: randomUUID,
        random: random.uniform,
        held: hold.signal,
        signal: abort.signal,
        secrets: setup.secrets,
        ...(watched ? { tell: (event) => send({ message: 'told', call, event }) } : {}),
        refused: (attempt) =>
          new Promise((resolve) => {
            proceed.set(call, resolve);
            send({ message: 'refused', call, attempt });
          }),
        accepted: (job) =>
          new Promise((resolve) => {
            proceed.set(call, () => resolve());
            send({ message: 'accepted', call, job });
          }),
      },
    );
    send({ message: 'done', call, result: { ...result, endedMs: now() } }, buffersOf(result));
  };

  port.on('message', (message: ToWire) => {
    switch (message.message) {
      case 'call':
        makeCall(message.call, message.request, message.watched).catch((error: unknown) =>
          send({
            message: 'defect',
            call: message.call,
            reason: error instanceof Error ? error.message : String(error),
          }),
        );
        return;
      case 'proceed':
        proceed.get(message.call)?.(message.again);
        proceed.delete(message.call);
        return;
      case 'hold':
        hold.abort();
        return;
      case 'abort':
        abort.abort();
        return;
      case 'close':
        void transport.close().finally(() => port.close());
    }
  });
}

/** Bytes are handed over, not copied: each asset owns its buffer. */
function buffersOf(result: CallResult): readonly ArrayBuffer[] {
  if (result.outcome !== 'ok') return [];
  return result.assets.flatMap(({ bytes }) => (bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []));
}

if (parentPort !== null) serveCalls(parentPort, workerData);
