import type { Checked } from '../../kit/diagnostic.ts';
import { followJournal, type JournalFollower, readRun } from '../../record/read-record.ts';
import type { Run } from '../../record/run.ts';
import { BoundedMap } from './bounded-map.ts';
import { createTally, type Tally } from './tally.ts';

export interface FollowedRun {
  readonly run: Run;
  readonly tally: Tally;
}

/**
 * Runs that are looked at. All readers of one share what was read of its journal; nothing is done while nobody asks.
 */
export interface FollowedRuns {
  /**
   * Reads what was appended since anybody asked last. A journal that was cut, and a run in place of another, are read
   * from the beginning.
   */
  readonly read: (folder: string) => Promise<Checked<FollowedRun>>;
  /** What was read of a run; null if it was not, or was forgotten. Reads nothing. */
  readonly known: (folder: string) => FollowedRun | null;
}

/** Kept apart, so that a list of many ended runs does not push out one that somebody follows. */
const MOST_GROWING = 8;
const MOST_ENDED = 4;
const MOST_OUTPUTS = 20_000;

interface Following extends FollowedRun {
  readonly follower: JournalFollower;
}

export function followRuns(): FollowedRuns {
  const growing = new BoundedMap<string, Following>(MOST_GROWING);
  const ended = new BoundedMap<string, Following>(MOST_ENDED);
  const lasts = new Map<string, Promise<unknown>>();

  const known = (folder: string): Following | null => growing.get(folder) ?? ended.get(folder) ?? null;

  const catchUp = async (folder: string, following: Following): Promise<Checked<FollowedRun>> => {
    const { follower, tally } = following;
    const caughtUp = await follower.catchUp(tally.add);
    growing.delete(folder);
    ended.delete(folder);
    if (!caughtUp.ok) return caughtUp;
    (tally.measuring().state === 'ended' ? ended : growing).set(folder, following);
    return { ok: true, value: following };
  };

  const readOnce = async (folder: string): Promise<Checked<FollowedRun>> => {
    const before = known(folder);
    const grown = before === null ? null : await catchUp(folder, before);
    if (grown?.ok === true) return grown;
    const run = await readRun(folder);
    if (!run.ok) return run;
    const tally = createTally(run.value, MOST_OUTPUTS);
    return catchUp(folder, { run: run.value, tally, follower: followJournal(folder) });
  };

  return {
    known,
    // One after the other: two readers at once would count an event twice.
    read: (folder) => {
      const last = lasts.get(folder) ?? Promise.resolve();
      const next = last.then(
        () => readOnce(folder),
        () => readOnce(folder),
      );
      lasts.set(folder, next);
      const forget = (): void => {
        if (lasts.get(folder) === next) lasts.delete(folder);
      };
      next.then(forget, forget);
      return next;
    },
  };
}
