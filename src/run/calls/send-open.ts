import type { Trial } from '../../plan/trial.ts';
import { type AbortNotice, createAbort } from '../../targets/transport/abort.ts';
import { decideStart, LEAD_MS, type Start } from './pacer.ts';
import { createTally } from './tally.ts';

/** What is done with the trials of an open slice. Nothing of it rejects. */
export interface OpenSending {
  /** Hands a call over, to be begun at `dueMs`; resolves when it has ended and its place is free. */
  readonly begin: (trial: Trial, dueMs: number) => Promise<unknown>;
  readonly drop: (trial: Trial, dueMs: number) => void;
  /** Whether a trial is not to be sent, nor its time waited for. */
  readonly skips: (trial: Trial) => boolean;
  /** Resolves once there is memory for another body. */
  readonly room: () => Promise<void>;
  /** Aborted: no further trial is begun. */
  readonly stopped: AbortSignal;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortNotice) => Promise<void>;
}

/**
 * Sends the trials of an open slice, each at its time from the slice's begin, never more than `ceiling` in flight; one
 * that finds no place is dropped. Resolves when all that were begun have ended.
 *
 * @param startsMs one for each trial, ascending
 */
export async function sendOpen(
  trials: readonly Trial[],
  { startsMs, ceiling }: { readonly startsMs: readonly number[]; readonly ceiling: number },
  { begin, drop, skips, room, stopped, now, sleep }: OpenSending,
): Promise<void> {
  // The slice begins when the first can have been handed over ahead like every other.
  const baseMs = now() + LEAD_MS;
  const inFlight = createTally();
  let wake = createAbort();
  const onChange = () => wake.abort();
  stopped.addEventListener('abort', onChange);

  const waitFor = async (ms: number): Promise<void> => {
    wake = createAbort();
    if (!stopped.aborted) await sleep(ms, wake.signal);
  };
  const startOf = async (dueMs: number): Promise<Exclude<Start, { is: 'wait' }>> => {
    for (let lookedAgain = false; ; ) {
      const start = decideStart({ dueMs, nowMs: now(), inFlight: inFlight.count(), ceiling });
      if (start.is === 'begin' || stopped.aborted) return { is: 'begin' };
      // Ends that this thread has not heard of yet, being late itself, must drop nothing.
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
    if (skips(trial)) continue; // abandoned while its time was waited for
    if (start.is === 'drop') {
      drop(trial, dueMs);
      continue;
    }
    void inFlight.of(begin(trial, dueMs)).then(onChange);
  }
  stopped.removeEventListener('abort', onChange);
  await inFlight.allEnded();
}
