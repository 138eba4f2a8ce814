import { randomUUID } from 'node:crypto';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createRandom, type Random } from '../../statistics/random.ts';
import { type CallResult, performCall } from '../../targets/call.ts';
import { type Credentials, createCredentials } from '../../targets/credential.ts';
import { type KnownSecrets, knowSecrets } from '../../targets/secrets.ts';
import { createTransport } from '../../targets/transport.ts';
import { type Abort, type AbortNotice, createAbort, type Transport } from '../../targets/wire.ts';
import { readClock, sleep, wallMs } from '../clock.ts';
import type { FromWire, HandedCall, ToWire, WireSetup } from '../events.ts';
import { createLoopWatch, hasHarnessLag, type LoopWatch, watchLoopDelay } from './loop-watch.ts';
import { createOutbox, type Outbox } from './outbox.ts';

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

class WireThread {
  readonly #port: MessagePort;
  readonly #setup: WireSetup;
  readonly #now: () => number;
  readonly #transport: Transport;
  readonly #random: Random;
  readonly #hold = createAbort();
  readonly #abort = createAbort();
  readonly #proceed = new Map<number, (again: boolean) => void>();
  readonly #watch: LoopWatch;
  readonly #ticks: NodeJS.Timeout;
  readonly #delays = watchLoopDelay(TICK_MS);
  readonly #due: DueCalls;
  /** Start times of calls in flight, by number; Infinity if free. */
  readonly #begun: number[] = [];
  readonly #outbox: Outbox<FromWire>;
  readonly #secrets: KnownSecrets;
  readonly #credentials: Credentials;

  constructor(port: MessagePort, setup: WireSetup) {
    const now = readClock(setup.origin);
    this.#port = port;
    this.#setup = setup;
    this.#now = now;
    this.#transport = createTransport({ now, connections: setup.connections, proxies: setup.proxies });
    this.#random = createRandom(setup.jitter);
    this.#watch = createLoopWatch(TICK_MS, now());
    this.#ticks = setInterval(() => this.#watch.tick(now()), TICK_MS);
    this.#due = createDueCalls(now, sleep);
    // Calls that end in one turn have their timestamps, and are reported together.
    this.#outbox = createOutbox((messages, transfer) => port.postMessage(messages, transfer), setImmediate);
    const secrets = knowSecrets(setup.secrets);
    this.#secrets = secrets;
    this.#credentials = createCredentials(wallMs, {
      isIn: secrets.isIn,
      add: (secret) => {
        secrets.add(secret);
        this.#send({ message: 'secret', secret, live: true });
      },
      forget: (secret) => {
        secrets.forget(secret);
        this.#send({ message: 'secret', secret, live: false });
      },
    });
    port.on('message', (messages: readonly ToWire[]) => {
      for (const message of messages) this.#take(message);
    });
  }

  #send(message: FromWire, transfer?: readonly ArrayBuffer[]): void {
    this.#outbox.add(message, transfer);
  }

  #take(message: ToWire): void {
    switch (message.message) {
      case 'call':
        this.#makeCall(message.call, message.request, message.watched).catch((error: unknown) => {
          const reason = this.#secrets.redact(error instanceof Error ? error.message : String(error));
          this.#send({ message: 'defect', call: message.call, reason });
        });
        break;
      case 'proceed':
        this.#proceed.get(message.call)?.(message.again);
        this.#proceed.delete(message.call);
        break;
      case 'tell-delay':
        this.#send({ message: 'delay', delay: this.#delays.read() });
        break;
      case 'rest':
        this.#delays.rest(message.resting);
        break;
      case 'hold':
        this.#hold.abort();
        break;
      case 'abort':
        this.#abort.abort();
        break;
      case 'close':
        clearInterval(this.#ticks);
        this.#delays.close();
        this.#outbox.flush();
        void this.#transport.close().finally(() => this.#port.close());
    }
  }

  async #makeCall(call: number, request: HandedCall, watched: boolean): Promise<void> {
    const target = this.#setup.targets[request.target];
    if (target === undefined) throw new Error(`the wire was not given the target ${request.target}`);
    if (request.dueMs !== undefined) await this.#due.until(request.dueMs, this.#abort.signal);
    this.#begun[call] = this.#now();
    const result = await performCall({ ...request, target }, this.#edgeOf(call, request, watched));
    const { endedMs } = result;
    const harnessLag = hasHarnessLag(this.#watch, result.marks, endedMs);
    this.#begun[call] = Infinity;
    this.#watch.forget(this.#begun.reduce((first, beganMs) => Math.min(first, beganMs), endedMs));
    this.#send({ message: 'done', call, result: { ...result, endedMs, harnessLag } }, buffersOf(result));
    this.#due.look();
  }

  #edgeOf(call: number, request: HandedCall, watched: boolean): Parameters<typeof performCall>[1] {
    return {
      transport: this.#transport,
      now: this.#now,
      wallMs,
      sleep,
      credentials: this.#credentials,
      uniqueKey: randomUUID,
      random: this.#random.uniform,
      held: this.#hold.signal,
      signal: this.#abort.signal,
      secrets: this.#secrets,
      shown: request.shown,
      ...(watched ? { tell: (event) => this.#send({ message: 'told', call, event }) } : {}),
      refused: (attempt) =>
        new Promise((resolve) => {
          this.#proceed.set(call, resolve);
          this.#send({ message: 'refused', call, attempt });
        }),
      accepted: (job) =>
        new Promise((resolve) => {
          // The body is not sent again, and a video may be waited for longer than others are sent.
          request.submit.body = null;
          this.#proceed.set(call, () => resolve());
          this.#send({ message: 'accepted', call, job });
        }),
    };
  }
}

/** Buffers to transfer instead of copying. */
function buffersOf(result: CallResult): readonly ArrayBuffer[] {
  if (result.outcome !== 'ok') return [];
  return result.assets.flatMap(({ bytes }) => (bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []));
}

if (parentPort !== null) new WireThread(parentPort, workerData);
