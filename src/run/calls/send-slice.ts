import pLimit from 'p-limit';
import type { Slice } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import { sleep } from '../clock.ts';
import type { Turn } from '../limits/starts.ts';
import type { Ended, Start } from './call-trial.ts';
import { sendOpen } from './send-open.ts';
import { createTally } from './tally.ts';

/** What happens to the trials of a slice; no function of it rejects. */
export interface SliceSending {
  readonly call: (trial: Trial, slice: Slice, start: Start) => Promise<Ended | null>;
  /** Closed load: resolves when the trial may begin, after a slot is free. `declared`: the number of slots. */
  readonly turn: (trial: Trial, declared: number) => Promise<Turn<Ended | null>>;
  readonly keep: (ended: Ended | null) => Promise<void>;
  readonly drop: (trial: Trial, slice: Slice, dueMs: number) => Promise<void>;
  readonly skips: (trial: Trial) => boolean;
  /** Resolves once there is memory for another body, and fewer than `mostPieces` wait to be stored. */
  readonly room: (mostPieces?: number) => Promise<void>;
  readonly stopped: AbortSignal;
  readonly now: () => number;
}

/** Resolves when all is recorded. A call frees its slot at its reply, before hashing and writing. */
export async function sendSlice(
  slice: Slice,
  { call, turn, keep, drop, skips, room, stopped, now }: SliceSending,
): Promise<void> {
  const { trials, pace } = slice;
  const kept = createTally();
  const keepLater = (ended: Promise<Ended | null>): void => void kept.of(ended.then(keep));
  if (pace.mode === 'closed') {
    const slots = pLimit(pace.concurrency);
    for (const trial of trials) {
      if (skips(trial)) continue;
      // Lines up one trial at a time: a promise per trial of a large slice would take more memory than the plan.
      await new Promise<void>((lineUpNext) => {
        const callNext = async () => {
          lineUpNext();
          // Results that are not yet recorded would be lost with the process.
          await room(pace.concurrency + 1);
          const { slowed, end } = await turn(trial, pace.concurrency);
          const ended = await call(trial, slice, { dueMs: null, slowed });
          end(ended);
          return ended;
        };
        keepLater(slots(callNext));
      });
    }
  } else {
    const begin = async (trial: Trial, dueMs: number): Promise<void> => {
      const ended = call(trial, slice, { dueMs, slowed: false });
      keepLater(ended);
      await ended;
    };
    await sendOpen(trials, pace, {
      begin,
      drop: (trial, dueMs) => void kept.of(drop(trial, slice, dueMs)),
      skips,
      room,
      stopped,
      now,
      sleep,
    });
  }
  await kept.allEnded();
}
