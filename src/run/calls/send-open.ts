import type { Trial } from '../../plan/trial.ts';
import { type AbortNotice, createAbort } from '../../targets/wire.ts';
import { createTally } from './tally.ts';

/**
 * How long before its time a call of open load is handed to the wire thread, which holds it until then, so that work on
 * this thread cannot delay it. From then on it counts as in flight, and is sent even if the run stops.
 */
export const LEAD_MS = 200;

export type PacedStart =
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

/** What happens to the trials of a slice. No function of it rejects. */
export interface OpenSending {
  /** Hands over a call to begin at `dueMs`; resolves when it has ended and its place is free. */
  readonly begin: (trial: Trial, dueMs: number) => Promise<unknown>;
  readonly drop: (trial: Trial, dueMs: number) => void;
  readonly skips: (trial: Trial) => boolean;
  /** Resolves once there is memory for another body. */
  readonly room: () => Promise<void>;
  readonly stopped: AbortSignal;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortNotice) => Promise<void>;
}

/**
 * Sends each trial of an open slice at its time after the slice's start (`startsMs`, ascending), with at most `ceiling`
 * in flight; drops others. Resolves when all have ended.
 */
export async function sendOpen(
  trials: readonly Trial[],
  { startsMs, ceiling }: { readonly startsMs: readonly number[]; readonly ceiling: number },
  { begin, drop, skips, room, stopped, now, sleep }: OpenSending,
): Promise<void> {
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
      if (start.is === 'begin' || stopped.aborted) return { is: 'begin' };
      // If this thread is late, ends may not be noticed yet: look again before a call is dropped.
      if (start.is === 'drop' && lookedAgain) return start;
      lookedAgain = start.is === 'drop';
      await waitFor(start.is === 'drop' ? 0 : start.untilMs - now());
    }
  };

  for (const [at, trial] of trials.entries()) {
    if (skips(trial)) continue;
    const dueMs = baseMs + (startsMs[at] ?? 0);
    const start = await startOf(dueMs);
    if (start.is === 'begin') await room();
    if (stopped.aborted) break;
    if (skips(trial)) continue;
    if (start.is === 'drop') {
      drop(trial, dueMs);
      continue;
    }
    void inFlight.of(begin(trial, dueMs)).then(onChange);
  }
  stopped.removeEventListener('abort', onChange);
  await inFlight.allEnded();
}
