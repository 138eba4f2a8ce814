import pLimit from 'p-limit';
import type { Slice } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Turn } from '../limits/starts.ts';
import { sleep } from '../wire/clock.ts';
import type { Ended, Start } from './call-trial.ts';
import { sendOpen } from './send-open.ts';
import { createTally } from './tally.ts';

/** What is done with the trials of a slice. Nothing of it rejects. */
export interface SliceSending {
  /** Makes the call of a trial, at once or when it is due; null where nothing left. */
  readonly call: (trial: Trial, slice: Slice, start: Start) => Promise<Ended | null>;
  /** Of closed load: resolves when the trial may begin, after a slot is free; `declared` are the slots. */
  readonly turn: (trial: Trial, declared: number) => Promise<Turn<Ended | null>>;
  /** Puts what a call brought into the record. */
  readonly keep: (ended: Ended | null) => Promise<void>;
  /** Puts into the record that a trial found no place in flight. */
  readonly drop: (trial: Trial, slice: Slice, dueMs: number) => Promise<void>;
  /** Whether a trial is not to be sent, since its variant was abandoned. */
  readonly skips: (trial: Trial) => boolean;
  /** Resolves once there is memory for another body, and fewer than so many wait to be kept. */
  readonly room: (mostPieces?: number) => Promise<void>;
  /** Aborted: no further trial is begun. */
  readonly stopped: AbortSignal;
  readonly now: () => number;
}

/**
 * Sends a slice and resolves when all of it is in the record. A slot is held for the call alone; hashing and writing
 * what it brought come after, in their turn.
 */
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
      // One is lined up at a time: a promise for each trial of a large slice would cost more memory than the plan.
      await new Promise<void>((lineUpNext) => {
        const callNext = async () => {
          lineUpNext();
          // What has come back and is not in the record yet would be lost with the process.
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
