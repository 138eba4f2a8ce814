import { followJournal, type JournalFollower } from '../../record/journal/follow-journal.ts';
import type { Run } from '../../record/model/run.ts';
import type { Checked } from '../../suite/document/diagnostic.ts';
import { createTally, type Tally } from './tally.ts';

/** How far a run is, read from its journal as that grows. */
export interface RunProgress {
  /** Reads what was appended, and gives the same tally each time, or a new one where the journal was cut. */
  readonly read: () => Promise<Checked<Tally>>;
}

/** @param outputs how many of the latest outputs are kept */
export function runProgress(folder: string, run: Run, outputs: number): RunProgress {
  let following: { readonly follower: JournalFollower; readonly tally: Tally } | null = null;
  let last: Promise<Checked<Tally>> | null = null;

  const catchUp = async (): Promise<Checked<Tally>> => {
    following ??= { follower: followJournal(folder), tally: createTally(run, outputs) };
    const { follower, tally } = following;
    const caughtUp = await follower.catchUp(tally.add);
    if (caughtUp.ok) return { ok: true, value: tally };
    following = null;
    return caughtUp;
  };

  const readOnce = async (): Promise<Checked<Tally>> => {
    const wasFollowing = following !== null;
    const first = await catchUp();
    // A run that is resumed cuts a torn line off its journal: what was read of it is read again.
    return first.ok || !wasFollowing ? first : catchUp();
  };

  return {
    // One after the other: two readers at once would count an event twice.
    read: () => {
      const next = last === null ? readOnce() : last.then(readOnce, readOnce);
      last = next;
      return next;
    },
  };
}
