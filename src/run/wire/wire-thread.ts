import { randomUUID } from 'node:crypto';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createRandom } from '../../statistics/random.ts';
import { type CallResult, performCall } from '../../targets/call.ts';
import { createCredentials } from '../../targets/credential.ts';
import { knowSecrets } from '../../targets/known-secrets.ts';
import { createTransport } from '../../targets/transport.ts';
import { type Abort, type AbortNotice, createAbort } from '../../targets/wire.ts';
import { readClock, sleep, wallMs } from '../clock.ts';
import type { FromWire, HandedCall, ToWire, WireSetup } from '../events.ts';
import { createLoopWatch, hasHarnessLag, watchLoopDelay } from './loop-watch.ts';
import { createOutbox } from './outbox.ts';

export interface DueCalls {
  /** Resolves at that time, not before, or when the signal is aborted. */
  readonly until: (dueMs: number, signal: AbortNotice) => Promise<void>;
  readonly look: () => void;
}

/**
 * Timers fire only between turns of the event loop, and a turn with hundreds of replies takes 0.1 s. `look` checks the
 * times in between.
 */
export function createDueCalls(now: () => number, sleep: (ms: number, signal: AbortNotice) => Promise<void>): DueCalls {
  const held = new Map<Abort, number>();
  return {
    until: async (dueMs, signal) => {
      const wake = createAbort();
      const onAbort = () => wake.abort();
      signal.addEventListener('abort', onAbort);
      held.set(wake, dueMs);
      // A timer may end up to 1 ms early.
      while (!signal.aborted && now() < dueMs) await sleep(dueMs - now(), wake.signal);
      held.delete(wake);
      signal.removeEventListener('abort', onAbort);
    },
    look: () => {
      if (held.size === 0) return;
      const nowMs = now();
      for (const [wake, dueMs] of held) if (dueMs <= nowMs) wake.abort();
    },
  };
}

/* The wire: a thread that only does HTTP and timestamps, so that no other work delays a timestamp. */

const TICK_MS = 2;

function serveCalls(port: MessagePort, setup: WireSetup): void {
  const now = readClock(setup.origin);
  const transport = createTransport({ now, connections: setup.connections, proxies: setup.proxies });
  const random = createRandom(setup.jitter);
  const hold = createAbort();
  const abort = createAbort();
  const proceed = new Map<number, (again: boolean) => void>();
  const watch = createLoopWatch(TICK_MS, now());
  const ticks = setInterval(() => watch.tick(now()), TICK_MS);
  const delays = watchLoopDelay(TICK_MS);
  const due = createDueCalls(now, sleep);
  /** Start times of calls in flight, by number; Infinity if free. */
  const begun: number[] = [];
  // Calls that end in one turn have their timestamps, and are reported together.
  const outbox = createOutbox<FromWire>((messages, transfer) => port.postMessage(messages, transfer), setImmediate);
  const send = outbox.add;
  const secrets = knowSecrets(setup.secrets);
  const tellSecret = (secret: string, live: boolean) => send({ message: 'secret', secret, live });
  const credentials = createCredentials(wallMs, {
    isIn: secrets.isIn,
    add: (secret) => {
      secrets.add(secret);
      tellSecret(secret, true);
    },
    forget: (secret) => {
      secrets.forget(secret);
      tellSecret(secret, false);
    },
  });

  const makeCall = async (call: number, request: HandedCall, watched: boolean): Promise<void> => {
    const target = setup.targets[request.target];
    if (target === undefined) throw new Error(`the wire was not given the target ${request.target}`);
    if (request.dueMs !== undefined) await due.until(request.dueMs, abort.signal);
    begun[call] = now();
    const result = await performCall(
      { ...request, target },
      {
        transport,
        now,
        wallMs,
        sleep,
        credentials,
        uniqueKey: randomUUID,
        random: random.uniform,
        held: hold.signal,
        signal: abort.signal,
        secrets,
        shown: request.shown,
        ...(watched ? { tell: (event) => send({ message: 'told', call, event }) } : {}),
        refused: (attempt) =>
          new Promise((resolve) => {
            proceed.set(call, resolve);
            send({ message: 'refused', call, attempt });
          }),
        accepted: (job) =>
          new Promise((resolve) => {
            // The body is not sent again, and a video may be waited for longer than others are sent.
            request.submit.body = null;
            proceed.set(call, () => resolve());
            send({ message: 'accepted', call, job });
          }),
      },
    );
    const { endedMs } = result;
    const harnessLag = hasHarnessLag(watch, result.marks, endedMs);
    begun[call] = Infinity;
    watch.forget(begun.reduce((first, beganMs) => Math.min(first, beganMs), endedMs));
    send({ message: 'done', call, result: { ...result, endedMs, harnessLag } }, buffersOf(result));
    due.look();
  };

  const take = (message: ToWire): void => {
    switch (message.message) {
      case 'call':
        makeCall(message.call, message.request, message.watched).catch((error: unknown) =>
          send({
            message: 'defect',
            call: message.call,
            reason: secrets.redact(error instanceof Error ? error.message : String(error)),
          }),
        );
        return;
      case 'proceed':
        proceed.get(message.call)?.(message.again);
        proceed.delete(message.call);
        return;
      case 'tell-delay':
        send({ message: 'delay', delay: delays.read() });
        return;
      case 'rest':
        delays.rest(message.resting);
        return;
      case 'hold':
        hold.abort();
        return;
      case 'abort':
        abort.abort();
        return;
      case 'close':
        clearInterval(ticks);
        delays.close();
        outbox.flush();
        void transport.close().finally(() => port.close());
    }
  };
  port.on('message', (messages: readonly ToWire[]) => {
    for (const message of messages) take(message);
  });
}

/** Buffers to transfer instead of copying. */
function buffersOf(result: CallResult): readonly ArrayBuffer[] {
  if (result.outcome !== 'ok') return [];
  return result.assets.flatMap(({ bytes }) => (bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []));
}

if (parentPort !== null) serveCalls(parentPort, workerData);
