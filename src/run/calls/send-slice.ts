import pLimit from 'p-limit';
import type { Slice } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import { createAbort } from '../../targets/wire.ts';
import { sleep } from '../clock.ts';
import { callTrial, type Ended, takenMs } from './call-trial.ts';
import type { TrialEnd } from './end-trial.ts';
import type { RunSending } from './sending.ts';

interface SliceTally {
  readonly count: () => number;
  readonly of: <T>(work: Promise<T>) => Promise<T>;
  readonly allEnded: () => Promise<void>;
}

/** Counts what is in flight. A number, as outgrown tables of a Set keep promises in memory (see `run/wire.ts`). */
export function createTally(): SliceTally {
  let underWay = 0;
  let wake = (): void => {};
  const end = (): void => {
    underWay -= 1;
    if (underWay === 0) wake();
  };
  return {
    count: () => underWay,
    of: (work) => {
      underWay += 1;
      return work.finally(end);
    },
    allEnded: async () => {
      if (underWay === 0) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
  };
}

/**
 * How long before its time a call of open load is handed to the wire thread, which holds it until then, so that work on
 * this thread cannot delay it. From then on it counts as in flight, and is sent even if the run stops.
 */
export const LEAD_MS = 200;

type PacedStart =
  | { readonly is: 'begin' }
  | { readonly is: 'drop' }
  /** Until that time, or until a call ends. */
  | { readonly is: 'wait'; readonly untilMs: number };

/**
 * Begins a due call, whatever has come back. With `ceiling` calls in flight it waits until its time and is then
 * dropped. An early call takes no place from others, which are due later.
 */
export function decideStart({
  dueMs,
  nowMs,
  inFlight,
  ceiling,
}: {
  readonly dueMs: number;
  readonly nowMs: number;
  /** Handed over and not ended. */
  readonly inFlight: number;
  readonly ceiling: number;
}): PacedStart {
  if (inFlight >= ceiling) return nowMs >= dueMs ? { is: 'drop' } : { is: 'wait', untilMs: dueMs };
  const handOverMs = dueMs - LEAD_MS;
  return nowMs >= handOverMs ? { is: 'begin' } : { is: 'wait', untilMs: handOverMs };
}

/** Neither function rejects. */
interface OpenStarts {
  /** Hands over a call to begin at `dueMs`; resolves when it has ended and its place is free. */
  readonly begin: (trial: Trial, dueMs: number) => Promise<unknown>;
  readonly drop: (trial: Trial, dueMs: number) => void;
  /** Resolves once there is memory for another body. */
  readonly room: () => Promise<void>;
}

/**
 * Sends each trial of an open slice at its time after the slice's start (`startsMs`, ascending), with at most `ceiling`
 * in flight; drops others. Resolves when all have ended.
 */
async function sendOpen(
  trials: readonly Trial[],
  { startsMs, ceiling }: { readonly startsMs: readonly number[]; readonly ceiling: number },
  { begin, drop, room }: OpenStarts,
  { abandoned, stopping, clock }: RunSending,
): Promise<void> {
  const { now } = clock;
  const stopped = stopping.signal;
  // So that the first call can be handed over early, like all others.
  const baseMs = now() + LEAD_MS;
  const inFlight = createTally();
  let wake = createAbort();
  const onChange = () => wake.abort();
  stopped.addEventListener('abort', onChange);

  const waitFor = async (ms: number): Promise<void> => {
    wake = createAbort();
    if (!stopped.aborted) await sleep(ms, wake.signal);
  };
  const startOf = async (dueMs: number): Promise<Exclude<PacedStart, { is: 'wait' }>> => {
    for (let lookedAgain = false; ; ) {
      const start = decideStart({ dueMs, nowMs: now(), inFlight: inFlight.count(), ceiling });
      // After a stop the caller begins nothing.
      if (start.is === 'begin' || stopped.aborted) return { is: 'begin' };
      // If this thread is late, ends may not be noticed yet: look again before a call is dropped.
      if (start.is === 'drop' && lookedAgain) return start;
      lookedAgain = start.is === 'drop';
      await waitFor(start.is === 'drop' ? 0 : start.untilMs - now());
    }
  };

  for (const [at, trial] of trials.entries()) {
    if (abandoned.holds(trial)) continue;
    const dueMs = baseMs + (startsMs[at] ?? 0);
    const start = await startOf(dueMs);
    if (start.is === 'begin') await room();
    if (stopped.aborted) break;
    if (abandoned.holds(trial)) continue;
    if (start.is === 'drop') {
      drop(trial, dueMs);
      continue;
    }
    void inFlight.of(begin(trial, dueMs)).then(onChange);
  }
  stopped.removeEventListener('abort', onChange);
  await inFlight.allEnded();
}

/** Resolves when all is recorded. A call frees its slot at its reply, before hashing and writing. */
export async function sendSlice(slice: Slice, sending: RunSending, { keep, drop, room }: TrialEnd): Promise<void> {
  const { abandoned, serverOf, starts } = sending;
  const { trials, pace } = slice;
  const kept = createTally();
  const keepLater = (ended: Promise<Ended | null>): void => void kept.of(ended.then(keep));
  if (pace.mode === 'closed') {
    const slots = pLimit(pace.concurrency);
    for (const trial of trials) {
      if (abandoned.holds(trial)) continue;
      // Lines up one trial at a time: a promise per trial of a large slice would take more memory than the plan.
      await new Promise<void>((lineUpNext) => {
        const callNext = async () => {
          lineUpNext();
          // Results that are not yet recorded would be lost with the process.
          await room(pace.concurrency + 1);
          const { slowed, end } = await starts.begin(serverOf(trial.variant)?.origin ?? null, pace.concurrency);
          const ended = await callTrial(trial, slice, { dueMs: null, slowed }, sending);
          end(takenMs(ended));
          return ended;
        };
        keepLater(slots(callNext));
      });
    }
  } else {
    const begin = async (trial: Trial, dueMs: number): Promise<void> => {
      const ended = callTrial(trial, slice, { dueMs, slowed: false }, sending);
      keepLater(ended);
      await ended;
    };
    const dropLater = (trial: Trial, dueMs: number) => void kept.of(drop(trial, slice, dueMs));
    await sendOpen(trials, pace, { begin, drop: dropLater, room }, sending);
  }
  await kept.allEnded();
}
