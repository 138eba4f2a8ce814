import pLimit from 'p-limit';
import type { Checked } from '../../kit/diagnostic.ts';
import { followJournal, readRun } from '../../record/read-record.ts';
import type { Run } from '../../record/run.ts';
import { BoundedMap } from '../bounded-map.ts';
import { createTally, type Tally } from './tally.ts';

interface FollowedRun {
  readonly run: Run;
  readonly tally: Tally;
}

interface Following extends FollowedRun {
  readonly follower: ReturnType<typeof followJournal>;
}

/** Reads what was appended to a record; from the beginning if its journal was cut, or the run replaced. */
export type FollowRun = (folder: string) => Promise<Checked<FollowedRun>>;

const MOST_FOLLOWED = 8;

/** Readers of a run share what was read of its journal; nothing is done while nobody asks. */
export function followRuns(): FollowRun {
  const followed = new BoundedMap<string, Following>(MOST_FOLLOWED);
  // Two readers at once would count an event twice.
  const one = pLimit(1);

  const catchUp = async (folder: string, following: Following): Promise<Checked<FollowedRun>> => {
    const caughtUp = await following.follower.catchUp(following.tally.add);
    if (!caughtUp.ok) return caughtUp;
    followed.set(folder, following);
    return { ok: true, value: following };
  };

  return (folder) =>
    one(async () => {
      const before = followed.get(folder);
      followed.delete(folder);
      const grown = before === undefined ? null : await catchUp(folder, before);
      if (grown?.ok === true) return grown;
      const read = await readRun(folder);
      if (!read.ok) return read;
      const run = read.value;
      return await catchUp(folder, { run, tally: createTally(run), follower: followJournal(folder) });
    });
}
