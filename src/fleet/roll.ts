import { type BeatTimes, isLost } from './beats.ts';
import type { Beat, Hello, WorkerState } from './messages.ts';

export interface FleetWorker extends Pick<Hello, 'name' | 'session' | 'vantage' | 'floorMs' | 'roundTripMs'> {
  readonly state: WorkerState;
  readonly counts: Pick<Beat, 'sent' | 'failed' | 'mostUsd'>;
  /** Not heard within `lostAfterMs`; it stays lost. */
  readonly isLost: boolean;
  /** Its beats name this fleet. */
  readonly isHere: boolean;
}

interface Entry extends FleetWorker {
  readonly heardMs: number;
  readonly beat: number;
  /** The slice that it was last told to send; null before. */
  readonly told: number | null;
}

/** Who is in the fleet, and how far each is. Times are readings of the coordinator's own clock. */
export interface Roll {
  /** False: another process has the name. */
  readonly add: (hello: Hello, nowMs: number) => boolean;
  /** False: it is not in the fleet. */
  readonly hear: (name: string, beat: Beat, nowMs: number) => boolean;
  readonly tell: (names: readonly string[], slice: number) => void;
  /** Gives those that were lost since the last look. Before the run begins they may join again. */
  readonly look: (nowMs: number, hasBegun: boolean) => readonly FleetWorker[];
  /** It belongs to another fleet, or has left before the run began. */
  readonly remove: (name: string) => void;
  /** By name, with welcomed workers whose beats do not name this fleet yet. */
  readonly workers: () => readonly FleetWorker[];
  readonly find: (name: string) => FleetWorker | null;
  readonly held: () => readonly HeldWorker[];
}

export function createRoll(times: BeatTimes): Roll {
  const entries = new Map<string, Entry>();
  const set = (entry: Entry, change: Partial<Entry>): void => void entries.set(entry.name, { ...entry, ...change });
  const inOrder = (): readonly Entry[] => [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    add: ({ name, session, vantage, floorMs, roundTripMs }, nowMs) => {
      const known = entries.get(name);
      if (known !== undefined) {
        if (known.session !== session) return false;
        set(known, { heardMs: nowMs });
        return true;
      }
      const about = { name, session, vantage, floorMs, roundTripMs };
      const nothing = { sent: 0, failed: 0, mostUsd: 0 };
      const begun = { heardMs: nowMs, beat: 0, told: null, isLost: false, isHere: false };
      entries.set(name, { ...about, state: { at: 'waiting' }, counts: nothing, ...begun });
      return true;
    },
    hear: (name, { session, number, state, sent, failed, mostUsd }, nowMs) => {
      const known = entries.get(name);
      if (known === undefined || known.session !== session || known.isLost) return false;
      if (number <= known.beat) set(known, { heardMs: nowMs });
      else set(known, { heardMs: nowMs, isHere: true, beat: number, state, counts: { sent, failed, mostUsd } });
      return true;
    },
    tell: (names, slice) => {
      for (const name of names) {
        const known = entries.get(name);
        if (known !== undefined) set(known, { told: slice });
      }
    },
    look: (nowMs, hasBegun) => {
      const silent = inOrder().filter((entry) => isHeld(entry) && isLost(entry.heardMs, nowMs, times));
      for (const entry of silent) {
        if (hasBegun) set(entry, { isLost: true });
        else entries.delete(entry.name);
      }
      return silent;
    },
    remove: (name) => void entries.delete(name),
    workers: inOrder,
    find: (name) => entries.get(name) ?? null,
    held: () => inOrder().filter(isHeld).map(heldOf),
  };
}

function isHeld(entry: Entry): boolean {
  return !entry.isLost && entry.state.at !== 'left';
}

function heldOf({ name, state, told: goSlice }: Entry): HeldWorker {
  switch (state.at) {
    case 'waiting':
      return { name, is: 'starting', slice: null };
    case 'ready':
      // After `go` it may have begun: its next beat says so.
      return { name, is: goSlice === state.slice ? 'measuring' : 'ready', slice: state.slice };
    case 'measuring':
      return { name, is: 'measuring', slice: state.slice };
    default:
      return { name, is: 'measured', slice: null };
  }
}

/** A worker that is neither lost nor has left. */
export interface HeldWorker {
  readonly name: string;
  readonly is: 'starting' | 'ready' | 'measuring' | 'measured';
  /** The slice that it waits for or sends; else null. */
  readonly slice: number | null;
}

/**
 * Who sends the next slice: those who have trials in it, together, once nobody sends. Null: all wait.
 * @param workers without those who are lost or have left
 */
export function nextToGo(
  workers: readonly HeldWorker[],
): { readonly slice: number; readonly names: readonly string[] } | null {
  if (workers.some(({ is }) => is === 'starting' || is === 'measuring')) return null;
  const ready = workers.flatMap(({ name, slice }) => (slice === null ? [] : [{ name, slice }]));
  if (ready.length === 0) return null;
  const next = Math.min(...ready.map(({ slice }) => slice));
  return { slice: next, names: ready.flatMap(({ name, slice }) => (slice === next ? [name] : [])) };
}
