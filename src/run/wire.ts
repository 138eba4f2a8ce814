import { once } from 'node:events';
import { getPriority, platform, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { LoopDelay } from '../record/journal.ts';
import type { AcceptedJob, CallEvent, RefusedAttempt } from '../targets/call-event.ts';
import { type KnownSecrets, knowSecrets } from '../targets/known-secrets.ts';
import type { EncodedBody } from '../targets/outgoing.ts';
import { showBody } from '../targets/shown-message.ts';
import type { CallRequest, EndedCall, FromWire, OfCall, ToWire, WireSetup } from './events.ts';
import { createOutbox } from './wire/outbox.ts';
import { createReadyBodies } from './wire/ready-bodies.ts';

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

/** Passes on a message that the wire thread waits for; gives whether to continue. */
function heard(message: Extract<OfCall, { message: 'refused' | 'accepted' }>, entry: WaitingCall): boolean {
  if (message.message === 'refused') return entry.refused(message.attempt);
  entry.accepted(message.job);
  return true;
}

/** V8's default for a thread is 48, which a run of many calls fills with garbage. */
const YOUNG_GENERATION_MB = 12;

/** Starts the thread from the built file beside this one. */
export async function startWire(setup: WireSetup): Promise<Wire> {
  const worker = new Worker(new URL('./wire/wire-thread.js', import.meta.url), {
    workerData: setup,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const waiting = createInFlight<WaitingCall>();
  const secrets = knowSecrets(setup.secrets);
  const asked: ((delay: LoopDelay | null) => void)[] = [];
  let broken: Error | null = null;
  const outbox = createOutbox<ToWire>((messages, transfer) => worker.postMessage(messages, transfer), queueMicrotask);
  const bodies = createReadyBodies(() => setImmediate());
  const letBodyGo = (entry: WaitingCall): void => {
    if (entry.body !== null) bodies.giveBack(entry.body);
    entry.body = null;
  };
  const send = (message: ToWire): void => {
    outbox.add(message);
    outbox.flush();
  };
  const abort = (error: Error) => {
    broken = error;
    for (const { reject } of waiting.items()) reject(error);
    for (const resolve of asked.splice(0)) resolve(null);
  };

  const take = (message: FromWire): void => {
    if (message.message === 'delay') {
      asked.shift()?.(message.delay);
      return;
    }
    if (message.message === 'secret') {
      if (message.live) secrets.add(message.secret);
      else secrets.forget(message.secret);
      return;
    }
    const entry = waiting.get(message.call);
    if (entry === undefined) return;
    if (message.message === 'told') {
      entry.watch?.(message.event);
      return;
    }
    // A body that was not sent to its end may still be read.
    if (message.message === 'accepted' || (message.message === 'done' && message.result.marks.sentMs !== undefined)) {
      letBodyGo(entry);
    }
    if (message.message === 'refused' || message.message === 'accepted') {
      try {
        send({ message: 'proceed', call: message.call, again: heard(message, entry) });
      } catch (error) {
        // Stops a call that could not be journalled. Its number stays taken: the thread still uses it.
        entry.reject(error instanceof Error ? error : new Error(String(error)));
      }
      return;
    }
    waiting.remove(message.call);
    if (message.message === 'done') entry.resolve(message.result);
    else entry.reject(new Error(`the wire thread failed: ${message.reason}`));
  };
  worker.on('message', (messages: readonly FromWire[]) => {
    for (const message of messages) take(message);
  });
  worker.on('error', abort);
  worker.on('exit', (code) => abort(new Error(`the wire thread ended (${code})`)));
  await once(worker, 'online');
  // This thread now hashes, writes and decides: the one that takes timestamps has priority.
  const restorePriority = lowerPriority();

  return {
    secrets,
    call: (request, refused, accepted = () => {}, watch) =>
      new Promise((resolve, reject) => {
        if (broken !== null) return reject(broken);
        const entry: WaitingCall = { refused, accepted, watch: watch ?? null, resolve, reject, body: null };
        const call = waiting.add(entry);
        const { bodies: show, submit, ...rest } = request;
        const shown = show === true ? { shown: showBody(submit.body, secrets.redact) } : {};
        const hand = (body: EncodedBody | null): void => {
          const handed = { ...rest, ...shown, submit: { ...submit, body } };
          const transfer = body?.bytes.buffer instanceof ArrayBuffer ? [body.bytes.buffer] : [];
          entry.body = body;
          outbox.add({ message: 'call', call, request: handed, watched: watch !== undefined }, transfer);
        };
        const encoded = request.attach === undefined ? bodies.encode(submit.body) : null;
        if (encoded instanceof Promise) encoded.then(hand).catch(reject);
        else hand(encoded);
      }),
    hold: () => send({ message: 'hold' }),
    abort: () => send({ message: 'abort' }),
    rest: (resting) => send({ message: 'rest', resting }),
    loopDelay: () =>
      new Promise((resolve) => {
        if (broken !== null) return resolve(null);
        asked.push(resolve);
        send({ message: 'tell-delay' });
      }),
    close: async () => {
      restorePriority();
      if (broken !== null) return;
      // A call whose job could not be journalled never ends: its time limit would keep the thread alive.
      if (waiting.items().length > 0) return void (await worker.terminate());
      const ended = once(worker, 'exit');
      send({ message: 'close' });
      await ended;
    },
  };
}
