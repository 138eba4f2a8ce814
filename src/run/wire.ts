import { once } from 'node:events';
import { getPriority, platform, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { LoopDelay } from '../record/journal.ts';
import { type AcceptedJob, type CallEvent, type RefusedAttempt, showBody } from '../targets/call-event.ts';
import type { EncodedBody } from '../targets/outgoing.ts';
import { type KnownSecrets, knowSecrets } from '../targets/secrets.ts';
import { startClock } from './clock.ts';
import type { CallRequest, EndedCall, FromWire, OfCall, ToWire, WireSetup } from './events.ts';
import { createOutbox, createReadyBodies, type Outbox } from './wire/outbox.ts';

/** Threads of ordinary priority get about nine times as much of a shared core. */
const BEHIND = 10;

/**
 * Lets other threads run first; gives a function that undoes it where the system allows (only the superuser raises a
 * priority). Only on Linux, where priority is per thread (setpriority(2), "C library/kernel differences").
 */
export function lowerPriority(): () => void {
  if (platform() !== 'linux') return () => {};
  const before = getPriority();
  if (before >= BEHIND || !lower(BEHIND)) return () => {};
  return () => void lower(before);
}

function lower(priority: number): boolean {
  try {
    setPriority(priority);
    return true;
  } catch {
    return false;
  }
}

/** Items in flight, numbered; the lowest free number is used first. */
export interface InFlight<T> {
  readonly add: (item: T) => number;
  readonly get: (number: number) => T | undefined;
  readonly remove: (number: number) => void;
  readonly items: () => readonly T[];
}

/**
 * A list instead of a Map: V8 links outgrown tables of a Map to their successors, and one in the old generation kept
 * most of the memory of a long run until the next full collection.
 */
export function createInFlight<T>(): InFlight<T> {
  const slots: (T | undefined)[] = [];
  return {
    add: (item) => {
      const free = slots.indexOf(undefined);
      const number = free < 0 ? slots.length : free;
      slots[number] = item;
      return number;
    },
    get: (number) => slots[number],
    remove: (number) => {
      slots[number] = undefined;
    },
    items: () => slots.filter((item) => item !== undefined),
  };
}

export interface Wire {
  /** Secrets of the setup, and those made from them: no file may contain one. */
  readonly secrets: KnownSecrets;
  /**
   * Makes one call. `refused` gets each throttled attempt, and says whether to send again; `accepted` a job before its
   * first poll; `watch` every request. Rejects only on a defect of Retake.
   */
  readonly call: (
    request: CallRequest,
    refused: (attempt: RefusedAttempt) => boolean,
    accepted?: (job: AcceptedJob) => void,
    watch?: (event: CallEvent) => void,
  ) => Promise<EndedCall>;
  /** Sends no refused call again: those that wait end at once, as cancelled. */
  readonly hold: () => void;
  readonly abort: () => void;
  /** During a rest nothing is in flight, and lateness of the event loop does not count. */
  readonly rest: (resting: boolean) => void;
  /** Of the wire thread so far; null if it broke. */
  readonly loopDelay: () => Promise<LoopDelay | null>;
  readonly close: () => Promise<void>;
}

interface WaitingCall {
  readonly refused: (attempt: RefusedAttempt) => boolean;
  readonly accepted: (job: AcceptedJob) => void;
  readonly watch: ((event: CallEvent) => void) | null;
  readonly resolve: (result: EndedCall) => void;
  readonly reject: (error: Error) => void;
  body: EncodedBody | null;
}

/** V8's default for a thread is 48, which a run of many calls fills with garbage. */
const YOUNG_GENERATION_MB = 12;

/** Starts the thread from the built file beside this one. */
export async function startWire(setup: WireSetup): Promise<Wire> {
  const worker = new Worker(new URL('./wire/wire-thread.js', import.meta.url), {
    workerData: setup,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  await once(worker, 'online');
  // This thread now hashes, writes and decides: the one that takes timestamps has priority.
  return new ThreadWire(worker, knowSecrets(setup.secrets), lowerPriority());
}

/** The setup of a wire; `origin` and `jitter` matter where a run has them. */
type WireNeeds = Omit<WireSetup, 'origin' | 'jitter'> & Partial<WireSetup>;

/** Starts a wire, and closes it however `use` ends. `hold` and `abort` do to its calls what `Wire` says. */
export async function withWire<T>(
  needs: WireNeeds,
  { hold, abort }: { readonly hold?: AbortSignal; readonly abort: AbortSignal },
  use: (wire: Wire) => Promise<T>,
): Promise<T> {
  const wire = await startWire({ origin: startClock().origin, jitter: 1, ...needs });
  hold?.addEventListener('abort', wire.hold);
  abort.addEventListener('abort', wire.abort);
  try {
    return await use(wire);
  } finally {
    hold?.removeEventListener('abort', wire.hold);
    abort.removeEventListener('abort', wire.abort);
    await wire.close();
  }
}

/** The near side of a wire thread: which calls it makes, and what each of them waits for. */
class ThreadWire implements Wire {
  readonly secrets: KnownSecrets;
  readonly #worker: Worker;
  readonly #restorePriority: () => void;
  readonly #waiting = createInFlight<WaitingCall>();
  readonly #delayReaders: ((delay: LoopDelay | null) => void)[] = [];
  readonly #outbox: Outbox<ToWire>;
  readonly #bodies = createReadyBodies(() => setImmediate());
  #broken: Error | null = null;

  constructor(worker: Worker, secrets: KnownSecrets, restorePriority: () => void) {
    this.#worker = worker;
    this.#restorePriority = restorePriority;
    this.secrets = secrets;
    this.#outbox = createOutbox((messages, transfer) => worker.postMessage(messages, transfer), queueMicrotask);
    worker.on('message', (messages: readonly FromWire[]) => {
      for (const message of messages) this.#take(message);
    });
    worker.on('error', (error) => this.#break(error));
    worker.on('exit', (code) => this.#break(new Error(`the wire thread ended (${code})`)));
  }

  readonly call: Wire['call'] = (request, refused, accepted = () => {}, watch) =>
    new Promise((resolve, reject) => {
      if (this.#broken !== null) return reject(this.#broken);
      const entry: WaitingCall = { refused, accepted, watch: watch ?? null, resolve, reject, body: null };
      const call = this.#waiting.add(entry);
      const { bodies, submit } = request;
      const shown = bodies === true ? { shown: showBody(submit.body, this.secrets.redact) } : {};
      const hand = (body: EncodedBody | null): void => {
        const handed = { ...request, ...shown, submit: { ...submit, body } };
        const transfer = body?.bytes.buffer instanceof ArrayBuffer ? [body.bytes.buffer] : [];
        entry.body = body;
        this.#outbox.add({ message: 'call', call, request: handed, watched: watch !== undefined }, transfer);
      };
      const encoded = request.attach === undefined ? this.#bodies.encode(submit.body) : null;
      if (encoded instanceof Promise) encoded.then(hand).catch(reject);
      else hand(encoded);
    });

  readonly loopDelay: Wire['loopDelay'] = () =>
    new Promise((resolve) => {
      if (this.#broken !== null) return resolve(null);
      this.#delayReaders.push(resolve);
      this.#send({ message: 'tell-delay' });
    });

  readonly hold = (): void => this.#send({ message: 'hold' });
  readonly abort = (): void => this.#send({ message: 'abort' });
  readonly rest = (resting: boolean): void => this.#send({ message: 'rest', resting });

  readonly close = async (): Promise<void> => {
    this.#restorePriority();
    if (this.#broken !== null) return;
    // A call whose job could not be journalled never ends: its time limit would keep the thread alive.
    if (this.#waiting.items().length > 0) return void (await this.#worker.terminate());
    const ended = once(this.#worker, 'exit');
    this.#send({ message: 'close' });
    await ended;
  };

  #send(message: ToWire): void {
    this.#outbox.add(message);
    this.#outbox.flush();
  }

  #break(error: Error): void {
    this.#broken = error;
    for (const { reject } of this.#waiting.items()) reject(error);
    for (const resolve of this.#delayReaders.splice(0)) resolve(null);
  }

  #take(message: FromWire): void {
    if (message.message === 'delay') this.#delayReaders.shift()?.(message.delay);
    else if (message.message !== 'secret') this.#takeOfCall(message);
    else if (message.live) this.secrets.add(message.secret);
    else this.secrets.forget(message.secret);
  }

  #takeOfCall(message: OfCall): void {
    const entry = this.#waiting.get(message.call);
    if (entry === undefined) return;
    switch (message.message) {
      case 'told':
        entry.watch?.(message.event);
        break;
      case 'refused':
        this.#proceed(message.call, entry, () => entry.refused(message.attempt));
        break;
      case 'accepted':
        this.#letBodyGo(entry);
        this.#proceed(message.call, entry, () => {
          entry.accepted(message.job);
          return true;
        });
        break;
      case 'done':
        // A body that was not sent to its end may still be read.
        if (message.result.marks.sentMs !== undefined) this.#letBodyGo(entry);
        this.#waiting.remove(message.call);
        entry.resolve(message.result);
        break;
      case 'defect':
        this.#waiting.remove(message.call);
        entry.reject(new Error(`the wire thread failed: ${message.reason}`));
    }
  }

  /** Answers a message that the wire thread waits for. @param decide whether it sends the call again */
  #proceed(call: number, entry: WaitingCall, decide: () => boolean): void {
    try {
      this.#send({ message: 'proceed', call, again: decide() });
    } catch (error) {
      // Stops a call that could not be journalled. Its number stays taken: the thread still uses it.
      entry.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #letBodyGo(entry: WaitingCall): void {
    if (entry.body !== null) this.#bodies.giveBack(entry.body);
    entry.body = null;
  }
}
