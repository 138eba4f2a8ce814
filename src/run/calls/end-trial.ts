import { MessageChannel } from 'node:worker_threads';
import { headerSeconds, sniff } from '../../media/header.ts';
import type { Slice } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Sample } from '../../record/journal.ts';
import { asError, type EndedCall } from '../events.ts';
import { createAbandonRule, ofThisMachine } from '../limits/abandoned-variants.ts';
import { beginningOfText, withoutSecrets } from '../refused-outputs.ts';
import type { Ended } from './call-trial.ts';
import { brokenSample, droppedSample, type KeptOutput, sampleOf } from './sample-of.ts';
import type { RunSending } from './sending.ts';

/** A port whose other end is closed: what is transferred to it is freed at once. */
const nowhere = (() => {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  port2.close();
  return port1;
})();

/**
 * Frees bytes at once; they become empty. Outputs of hundreds of calls would otherwise wait in memory, and cause ten
 * full collections of V8 per second under load.
 */
export function freeBytes(bytes: Uint8Array): void {
  if (bytes.buffer instanceof ArrayBuffer) nowhere.postMessage(null, [bytes.buffer]);
}

interface Returned extends Ended {
  readonly result: EndedCall;
}

/** Stores the outputs of a call, except those that contain a secret. */
function keepOutputs(
  { context, result: returned }: Returned,
  { record, wire: { secrets }, isPerSecond, expectedOf }: RunSending,
): Sample {
  const result = withoutSecrets(returned, secrets);
  const kept = (result.outcome === 'ok' ? result.assets : []).map(({ bytes, declaredMime }): KeptOutput => {
    const type = sniff(bytes);
    const sha256 = record.keepMedia(bytes, type?.extension ?? 'bin');
    const text = type === null ? beginningOfText(bytes, secrets.redact) : '';
    const units = isPerSecond(context.trial) ? headerSeconds(bytes) : null;
    const output = { sha256, bytes: bytes.byteLength, mime: type?.mime ?? null, declaredMime };
    freeBytes(bytes);
    return { output: units === null ? output : { ...output, units }, type, text };
  });
  return sampleOf(context, result, kept, expectedOf(context.trial));
}

function bytesOf(result: EndedCall | Error): number {
  if (result instanceof Error || result.outcome !== 'ok') return 0;
  return result.assets.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

interface Backlog {
  readonly add: <T>(bytes: number, work: () => T) => Promise<T>;
  /** Resolves once less than `mostBytes` wait, and fewer than `mostPieces`. */
  readonly room: (mostPieces?: number) => Promise<void>;
}

/** What a piece counts beside its bytes. */
const PIECE_BYTES = 4 * 1024;

/** Bytes hashed and written per turn of the event loop: about 0.5 ms, which costs more than a turn itself. */
const TURN_BYTES = 256 * 1024;

/**
 * Does a little work per turn of the event loop, so that replies and starts come in between. Callers wait for `room`
 * before a call, which limits memory to `mostBytes` and what is in flight.
 */
export function createBacklog(mostBytes: number): Backlog {
  const waiting: (() => number)[] = [];
  let wantRoom: { readonly mostPieces: number; readonly resolve: () => void }[] = [];
  let heldBytes = 0;
  let heldPieces = 0;
  let busy = false;

  const nextTurn = (): void => {
    busy = waiting.length > 0;
    for (let doneBytes = 0; doneBytes < TURN_BYTES; ) doneBytes += waiting.shift()?.() ?? TURN_BYTES;
    if (busy) setImmediate(nextTurn);
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
          return weight;
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

/** Bytes of outputs that wait to be hashed and written; above this no call begins. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

export interface TrialEnd {
  /** Resolves once the sample is written. Null: nothing was sent. */
  readonly keep: (ended: Ended | null) => Promise<void>;
  /** For a trial under open load that is due while `ceiling` calls are in flight. */
  readonly drop: (trial: Trial, slice: Slice, dueMs: number) => Promise<void>;
  readonly room: Backlog['room'];
}

/** Writes one sample for each trial; stops the run at a limit or on an error of Retake. Never rejects. */
export function createTrialEnd(edge: RunSending): TrialEnd {
  const { segment, clock, record, observe, rules, stopping, abandoned } = edge;
  const backlog = createBacklog(MOST_WAITING_BYTES);
  const abandonRule = createAbandonRule();
  const conclude = async (sample: Sample): Promise<void> => {
    const written = record.commit({ event: 'sample', sample }).catch((error) => stopping.fault(asError(error)));
    observe({ event: 'ended', sample });
    const stop = rules.count(sample);
    if (stop?.reason === 'load') abandoned.endLoad(sample.trial, stop);
    else if (stop !== null) stopping.stop(stop);
    const why = abandonRule.count(sample);
    if (why !== null) abandoned.abandon(sample.trial.variant, why);
    await written;
  };
  return {
    keep: async (ended) => {
      if (ended === null) return;
      await conclude(await backlog.add(bytesOf(ended.result), () => sampleOfEnd(ended, edge)));
    },
    drop: (trial, slice, dueMs) => {
      const context = { trial, slice: slice.index, segment, scheduledAt: clock.wallTime(dueMs) };
      return conclude(droppedSample(context, dueMs, clock.now()));
    },
    room: backlog.room,
  };
}

function sampleOfEnd(ended: Ended, edge: RunSending): Sample {
  const { clock, wire, stopping } = edge;
  const { context, begunMs, result } = ended;
  const broken = (error: Error): Sample => {
    stopping.fault(error);
    const message = wire.secrets.redact(error.message);
    return brokenSample(context, begunMs, clock.now(), message, ofThisMachine(error) === null ? 'defect' : 'cancelled');
  };
  if (result instanceof Error) return broken(result);
  try {
    return keepOutputs({ ...ended, result }, edge);
  } catch (error) {
    return broken(asError(error));
  }
}
