import { join } from 'node:path';
import type { Checked } from '../../kit/diagnostic.ts';
import { pick } from '../../kit/json.ts';
import { followJournal, type JournalFollower, readRun } from '../../record/read-record.ts';
import type { Run, Spend } from '../../record/run.ts';
import { statOf } from '../files/contained-files.ts';
import { BoundedMap } from './bounded-map.ts';
import { createTally, type Measuring, type RemainingTime, type Tally } from './tally.ts';

export interface RunOutline {
  readonly createdAt: string;
  readonly label?: string;
  readonly variants: readonly string[];
  /** Requests: in the plan, and sent. */
  readonly planned: number;
  readonly requests: number;
  readonly failed: number;
  readonly durationMs: number;
  readonly spend: Spend | null;
  readonly measuring: Measuring;
  /** Null if it is not known, or nothing is sent any more. */
  readonly left: RemainingTime | null;
}

/** Does not read an unchanged record again; of one that grows, reads only what was appended. */
export type ReadOutline = (folder: string) => Promise<Checked<RunOutline>>;

const MOST_KEPT = 1000;

interface Kept {
  readonly stamp: string;
  readonly outline: Omit<RunOutline, 'left'>;
}

export function outlineReader(runs: FollowedRuns): ReadOutline {
  const kept = new BoundedMap<string, Kept>(MOST_KEPT);
  return async (folder) => {
    const stamp = stampOf(folder);
    const known = kept.get(folder);
    if (known !== undefined && known.stamp === stamp) {
      return { ok: true, value: { ...known.outline, left: leftOf(runs.known(folder)?.tally ?? null) } };
    }
    const read = await runs.read(folder);
    if (!read.ok) return read;
    const { run, tally } = read.value;
    const outline = outlineOf(run, tally);
    kept.set(folder, { stamp, outline });
    return { ok: true, value: { ...outline, left: leftOf(tally) } };
  };
}

function leftOf(tally: Tally | null): RemainingTime | null {
  return tally?.left(Date.now()) ?? null;
}

function outlineOf(run: Run, { requests, failed, durationMs, spend, measuring }: Tally): Kept['outline'] {
  return {
    ...pick(run, 'createdAt', 'label'),
    variants: run.variants.map(({ name }) => name),
    planned: run.plan.requests,
    requests: requests(),
    failed: failed(),
    durationMs: durationMs(),
    spend: spend(),
    measuring: measuring(),
  };
}

/** Text that changes with the record. */
export function stampOf(folder: string): string {
  return ['run.json', 'journal.jsonl', 'facts.jsonl']
    .map((name) => {
      const stats = statOf(join(folder, name));
      return stats === null ? '-' : `${stats.size}:${stats.mtimeMs}`;
    })
    .join(' ');
}

interface FollowedRun {
  readonly run: Run;
  readonly tally: Tally;
}

/** All readers of a run share what was read of its journal; nothing is done while nobody asks. */
export interface FollowedRuns {
  /** Reads what was appended; from the beginning if the journal was cut, or the run replaced. */
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
