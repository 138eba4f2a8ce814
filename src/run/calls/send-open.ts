import type { Trial } from '../../plan/trial.ts';
import { type AbortNotice, createAbort } from '../../targets/transport/abort.ts';
import { decideStart, LEAD_MS, type PacedStart } from './pacer.ts';
import { createTally } from './tally.ts';

/** What happens to the trials of a slice; no function of it rejects. */
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
 * Sends each trial of an open slice at its time after the slice's start, with at most `ceiling` in flight; others are
 * dropped. Resolves when all have ended.
 * @param startsMs one per trial, ascending
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
      // If this thread is late, ends may wait to be noticed: look once more before a call is dropped.
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
